"""Draw a progress bar after a line of input, erase it, and set the title of the window."""

import sys
import time

input("Start? ")
for percent in range(101):
    bar = "#" * (percent // 5)
    sys.stdout.write(f"\r\x1b]0;{percent} %\x07Loading [{bar:20}] {percent:3} %")
    sys.stdout.flush()
    # The work of which the bar shows the progress.
    time.sleep(0.01)
sys.stdout.write("\r\x1b[2K\x1b]0;finished\x07Stop? ")
sys.stdout.flush()
sys.exit(len(input()))
