"""A form with a field and a button; the button writes what was entered to a file."""

import pathlib
import sys

from textual.app import App
from textual.widgets import Button, Input, Label


class Form(App):
    TITLE = "Form"

    def compose(self):
        yield Label("Name")
        yield Input()
        yield Button("Save")

    def on_button_pressed(self):
        pathlib.Path(sys.argv[1]).write_text(self.query_one(Input).value)
        self.exit(return_code=4)


app = Form()
app.run()
sys.exit(app.return_code)
