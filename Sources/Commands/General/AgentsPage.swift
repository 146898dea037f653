/// The page that tells a program with nothing but a shell how to use vt: `vt help agents`.
enum AgentsPage {
    /// The front matter of a SKILL.md file (agentskills.io).
    static let skill = """
        ---
        name: vt
        description: Run commands in terminal sessions that live on, here and on servers, with exact output and exit \
        status. Use it for servers, long-running commands, interactive programs and anything that must survive.
        ---

        """

    static let text = """
        # vt for agents

        vt keeps programs in sessions with a terminal of their own. A session lives on after each command, and nothing \
        that it prints is lost. SESSION is a name here, or PROFILE:SESSION on a server ('vt profile list').

        ## Shell lines

        ```
        vt sessions create dev                       # once: a session with your shell
        vt sessions exec dev --timeout 5m 'make test'
        ```

        'exec' prints the output of the line and exits with its status. Directory, variables and virtual environments \
        remain for the next line. Options come before the line. --max-output 8K limits the output, and --json adds \
        offsets. Text with newlines, quotes and '!' needs no care: pass it as one word, or with --file or --stdin-line.

        - Status 124: the time is over, and the command still runs. Do not run it again. Look at the end of the output: \
        does it ask a question? If not, wait for the end: vt sessions wait dev --prompt --timeout 10m
        - Answer a question: vt sessions send dev 'answer' --enter --wait prompt --print --timeout 1m
        - Neither 'send' nor 'wait --prompt' exits with the status of the command. To get it: \
        vt sessions exec dev 'echo $?'
        - Status 255 with (busy): the shell runs something. Wait as above, use --wait 1m, or look: \
        vt sessions screen dev
        - ssh, sudo or docker in the session: vt sessions exec dev --assume-shell bash 'LINE'
        - python, node, psql, gdb ... in the session: vt sessions exec dev --repl python 'LINE'
        - To repeat a call whose result was lost, without running the line again: --request-id ID in both calls

        ## Other programs

        ```
        vt sessions create repl -- python3 -q
        vt sessions wait repl --match '^>>> $' --timeout 10s
        vt sessions send repl 'print(6*7)' --enter --wait 'match=^>>> $' --print --timeout 10s
        ```

        --print prints the output up to the end of the match, here the next prompt; for the whole line, match '^PASS.*'. --prompt works only in \
        shells: for other programs, match what they print when they are ready. Text may contain newlines, which are Enter.

        ```
        vt sessions screen setup                     # what a full-screen program shows
        vt sessions screen setup --format ansi       # with colors, which show what is selected
        vt sessions send setup --key Down --key Tab --key Space --key Enter --wait idle=1s
        vt sessions send editor --key Escape ':wq' --enter
        vt sessions send menu --key Down --key Down --key Enter
        vt sessions send app --click '[Save]'        # a text on the screen, or COL,ROW from 0
        ```

        Text, --key and --enter are sent in the order given. Keys: Enter, Tab, Escape, Space, Up, Down, Left, Right, Home, \
        End, PageUp, F1, C-c (Control), M-x (Alt), S-Tab (Shift) and so on. --click 'OK' clicks on a text.

        Never sleep: wait for a line (--match), a prompt of a shell (--prompt), silence (--idle 2s) or the end (--exit); \
        with 'send', --wait match=REGEX, prompt, idle=2s or exit. The echo of what 'send' types does not count for its \
        --wait. A number that 'send' or 'wait' prints is an offset in the output, for 'logs --from'.

        ## Long commands

        ```
        vt sessions create build --keep-for 1d -- make -j8
        vt sessions wait build --fail-match 'error:' --exit --timeout 1h
        vt sessions logs build --plain --tail 40
        vt sessions logs build --plain --from OFFSET   # continue where the last output ended
        ```

        'wait' prints the condition that was met: 'fail-match' (status 1) or 'exit' (the status of the program).

        ## Undo

        ```
        vt snapshot create dev --name before         # saves the files in the directory of the session
        vt diff dev before                           # what has changed since
        vt rollback dev before --yes                 # moves the files back; prints the ID of a snapshot to undo this
        ```

        ## Servers and files

        ```
        vt exec web 'systemctl status app'           # one command, without a session
        vt sessions create web:dev                   # a session on a server
        vt sessions exec web:dev 'tail -n 50 app.log'
        vt copy web:/var/log/app.log .
        ```

        A lost connection is restored, and a line is never run twice. End what you started: vt sessions kill NAME. A \
        session that has ended keeps its name and output; to create it again, use --if-exists replace.

        Errors are one line with a class and often a hint. 'vt help COMMAND' has the details, 'vt help exit-codes' the \
        statuses. Programs that speak MCP can use 'vt mcp' instead.

        """
}
