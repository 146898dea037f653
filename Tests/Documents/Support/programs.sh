# Stand-ins for programs that examples name and that cannot be had here: for containers, password managers, microphones,
# models, databases, builds and installers.
program() {    # program NAME: the script is on standard input
    cat >"/home/me/bin/$1"
    chmod +x "/home/me/bin/$1"
}
mkdir -p /home/me/bin
ln -s "$vt" /home/me/bin/vt

program docker <<'END'
#!/bin/sh
# docker exec -i NAME COMMAND…
shift 3
exec "$@"
END
program pass <<'END'
#!/bin/sh
# pass show NAME
case $2 in *-key) cat /home/me/.ssh/id_ed25519 ;; *) echo secret ;; esac
END
program systemctl <<'END'
#!/bin/sh
echo active
END
program apache <<'END'
#!/usr/bin/python3
# Serves the current directory on a port.
import functools, http.server, sys
handler = type("Handler", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *words: None})
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler).serve_forever()
END
program psql <<'END'
#!/usr/bin/python3
# A client that answers each statement with one row, at the prompt of psql.
import readline, socket, sys
if "-p" in sys.argv: socket.create_connection(("127.0.0.1", int(sys.argv[sys.argv.index("-p") + 1]))).close()
while True:
    try:
        line = input("app=> ")
        while line and not line.endswith(";"): line += input("app-> ")
    except EOFError: break
    if "nope" in line: print('ERROR:  column "nope" does not exist')
    elif line: print(" ?column? \n----------\n        1\n(1 row)\n")
END
program npm <<'END'
#!/bin/sh
# npm test
exec sh -c "$(jq -r .scripts.test package.json)"
END
program arecord <<'END'
#!/bin/sh
# Records a voice, in the file that is the last word, or to standard output.
for word; do file=$word; done
case $file in *.wav) ;; *) file='-t wav -' ;; esac
speech=$(mktemp)
flite -voice slt -t 'list all files' "$speech"
sox -q -V1 -t wav "$speech" -r 16000 -c 1 -b 16 $file
END
program parecord <<'END'
#!/bin/sh
exec arecord "$@"
END
program whisper-cli <<'END'
#!/bin/sh
# Understands the same words in every file.
for word; do file=$word; done
test -s "$file" && echo "List all files."
END
program whisper-server <<'END'
#!/usr/bin/python3
# Answers every request with the same words, as each of the servers that the examples name does.
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    log_message = lambda *words: None
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        text = b'{"text": "List all files."}' if b"RIFF" in body else b""
        self.send_response(200 if text else 400)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
try: server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler)
except OSError: sys.exit()    # it is running already
server.serve_forever()
END
program button <<'END'
#!/bin/bash
# Shows its arguments as buttons, and ends when the mouse is clicked.
printf '\e[?1000h\e[?1006h\e[2J\e[H%s\n' "$@"
stty raw -echo
while read -rsn1 key; do [ "$key" = M ] && break; done
stty sane
END
program build <<'END'
#!/bin/bash
# A build that writes 10 kB in color, and waits for a line before it succeeds.
printf '\e]2;building\a'
for i in {10..99}; do
    printf '\e[32;44mcc\e[0m -O2 -g -Wall -c source%d.c -o objects/source%d.o -I. -Iinclude\n' $i $i
done
echo 'warning: error handling is missing'
read -r line
printf 'BUILD OK\nBUILD SUCCESSFUL\n'
END
program keyring <<'END'
#!/bin/bash
# Starts the desktop's secret service, and prints the address of its message bus.
cat >/home/me/bus.conf <<CONF
<busconfig><type>session</type><listen>unix:path=/home/me/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow own="*"/><allow eavesdrop="true"/></policy>
</busconfig>
CONF
export DBUS_SESSION_BUS_ADDRESS=unix:path=/home/me/bus XDG_RUNTIME_DIR=/home/me
echo "$DBUS_SESSION_BUS_ADDRESS"
exec >/dev/null 2>&1
dbus-daemon --fork --config-file /home/me/bus.conf
printf password | gnome-keyring-daemon --daemonize --unlock --components=secrets
for i in {1..100}; do [ -z "$(secret-tool lookup probe probe 2>&1)" ] && break; sleep 0.05; done
END
