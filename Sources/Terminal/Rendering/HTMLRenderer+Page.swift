extension HTMLRenderer {
    /// A captioned screen on a page with several screens.
    package struct CaptionedScreen {
        package var caption: String
        package var screen: Screen

        package init(caption: String, screen: Screen) {
            self.caption = caption
            self.screen = screen
        }
    }

    /// Returns a page with several captioned screens.
    package static func page(_ screens: [CaptionedScreen], title: String, theme: Theme = .standard) -> String {
        var text = head(title: title)
        text += "<style>figure{margin:1em}figcaption{font:14px sans-serif;margin-bottom:.5em}</style>\n"
        text += "</head>\n<body>\n"
        for captioned in screens {
            text += "<figure>\n<figcaption>\(Markup.escaped(captioned.caption))</figcaption>\n"
            text += render(captioned.screen, theme: theme, isFragment: true)
            text += "</figure>\n"
        }
        return text + "</body>\n</html>\n"
    }
}
