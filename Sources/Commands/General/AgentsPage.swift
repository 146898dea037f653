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

        vt keeps programs in sessions with a terminal of their own. A session outlives each command, and nothing that \
        it prints is lost. SESSION is a name here, or PROFILE:SESSION on a server ('vt profile list').

        ## Shell lines

        ```
        vt sessions create dev                       # once: a session with your shell
        vt sessions exec dev --timeout 5m --return-on-input 'make test'
        ```

        'exec' prints the output of the line and exits with its status. Directory, variables and environments remain. \
        Options come before the line. --max-output 8K limits the output; --json adds offsets. A line with newlines, \
        quotes and '!' is one word, or comes from --file or --stdin-line.

        - Status 124: it asks for input, or the time is over; it still runs. Do not run it again.
        - Answer: vt sessions send dev 'answer' --enter --wait prompt --wait idle=2s --print --timeout 1m; if it is idle, \
        it may ask again
        - Wait for the end: vt sessions wait dev --prompt --timeout 10m; its status: vt sessions exec dev 'echo $?'
        - Status 255 with (busy): the shell runs something. Wait, add --when-ready 1m, or look: vt sessions screen dev
        - ssh, sudo or docker in the session: vt sessions exec dev --assume-shell bash 'LINE'
        - To repeat a lost call without running the line twice: --request-id ID in both

        ## Interpreters

        ```
        vt sessions create py -- python3 -q
        vt sessions wait py --screen '>>>' --timeout 10s
        vt sessions exec py --repl python 'print(6*7)'   # or ipython, node, psql, sqlite3, gdb, mysql, irb, ghci, bc
        vt sessions exec tool --prompt '^tool> $' 'show all'
        ```

        ## Full-screen programs

        ```
        vt sessions create ed -- vim notes.txt
        vt sessions wait ed --screen notes.txt --settle 200ms --timeout 10s
        vt sessions send ed --key i 'hello' --key Escape ':w' --enter --wait screen=written --timeout 5s
        vt sessions screen ed                        # what it shows; --format ansi has colors
        vt sessions screen ed --find 'Save' --inverse    # where it is shown: COL,ROW WIDTH TEXT; only in reverse video
        vt sessions send app --click '[Save]' --wait no-screen=Saving
        ```

        Text, --key and --enter are sent in the order given. Keys: Enter, Tab, Escape, Space, Up, Down, Left, Right, \
        Home, End, PageUp, F1, C-c, M-x (Alt), S-Tab; one for each --key. After Escape, or a key that opens a prompt, send \
        the text in another 'send'. --click, --drag A:B and --scroll down:3 use the mouse.

        Never sleep. --wait of 'send' takes prompt, exit, idle=2s, match=REGEX (a new line of output), screen=TEXT, \
        no-screen=TEXT and title=TEXT (what is shown, also from before); 'wait' has the same as options. --settle 200ms: \
        and the screen has not changed for that long. --print of 'send' prints the new output. Add --timeout always.

        ## Long commands

        ```
        vt sessions create build --keep-for 1d -- make -j8
        vt sessions wait build --fail-match 'error:' --exit --timeout 1h
        vt sessions logs build --plain --tail 40
        vt sessions logs build --plain --from OFFSET   # offsets are printed by 'send', 'wait' and --json
        ```

        'wait' prints the condition that was met: fail-match (status 1) or exit (the status of the program).

        ## A person, undo, servers

        ```
        vt sessions ask dev 'please log in to the VPN' --timeout 10m    # waits for 'vt sessions ask dev --done' or --refuse
        vt snapshot create dev --name before         # the files in the session's directory
        vt diff dev before
        vt rollback dev before --yes
        vt exec web 'systemctl status app'           # one command on a server, without a session
        vt sessions exec web:dev 'tail -n 50 app.log'
        vt copy web:/var/log/app.log .
        ```

        A lost connection is restored, and a line never runs twice. End what you started: vt sessions kill NAME. An \
        ended session keeps its output until you create it again: create NAME --if-exists ok -- PROGRAM. Errors are one \
        line, often with a hint; --json has the class (ended, busy, not-found, ...). 'vt help COMMAND' has the details. \
        Over MCP: 'vt mcp'.

        """
}
