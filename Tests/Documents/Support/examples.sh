# What the examples of the manual pages and the other documents need: profiles, sessions, recordings and files with the
# names that they use. What only one example needs is in `before`; how one that waits for ever is ended, in `how`; and what
# an example must have done, in `after`.
page=$(cat "$directory"/*.sh)
set +eu    # what this page does not need may fail

serve() { "$@" & until (: <>"/dev/tcp/127.0.0.1/${@: -1}"); do sleep 0.05; done 2>/dev/null; }
has() { [[ $page == *"$1"* ]]; }
mentions() { grep -qE -e "(^|[^[:alnum:]_:./-])$1([^[:alnum:]_:.-]|\$)" <<<"$page"; }

# --- Profiles --------------------------------------------------------------------------------------------------------

host_key=$(cut -d ' ' -f 1,2 "$directory/host_key.pub")
for name in db desk lab; do echo "$name $host_key"; done >/home/me/.ssh/known_hosts
cp /home/me/.ssh/id_ed25519.pub /home/me/.ssh/authorized_keys
printf 'Host web-3 web-4\n    HostName web.example\n    User ann\n' >/home/me/.ssh/config
mkdir -p /home/me/.config/vt
if ! has 'vt host '; then
    for name in web.example web-1.example web-7.example arm.example nas 10.0.0.7 '[db.internal]:2222'; do
        echo "$name $host_key"
    done >/home/me/.config/vt/known_hosts
fi
# profile NAME …: saves a profile, unless the page does.
profile() { if ! has "vt profile add $1 "; then vt profile add "$@"; fi; }
profile web ann@web.example --tag prod --tag lab --tag web
profile db dba@db.internal:2222 --jump web --tag prod --tag old
profile web-1 ann@web-1.example --tag web
profile web-7 ann@web-7.example
profile nas deploy@nas
if mentions arm; then profile arm dba@arm.example; fi

# --- Files -----------------------------------------------------------------------------------------------------------

if has '~/src/project'; then mkdir -p ~/src/project/src && cd ~/src/project; fi
printf 'all deploy test:\n\t@echo $@ done\n' | tee Makefile /srv/Makefile >/home/deploy/Makefile
echo '{"scripts": {"test": "echo ok"}}' >package.json
if has 'vt profile test mac'; then echo '{"scripts": {"test": "echo 1 failure; exit 1"}}' >package.json; fi
echo 'print("imported")' >app.py
printf '#!/bin/sh\necho upgraded "$@" | tee -a version\n' >upgrade.sh
printf 'echo set up\nexport READY=1\n' >setup.sh
echo 'select 1;' >script.sql
printf 'ann@web.example\ndba@10.0.0.7\n' >hosts.txt
printf 'list all files\tls -la\ngit status\tgit status\n' >commands.txt
printf 'exec make test\nexec exit\n' >demo.txt
echo config >app.conf
mkdir parts photos
echo photo >photos/1.jpg
tar c src >app.tar
mkdir -p /srv/app/{src,etc} /home/deploy/app
if has ./deploy; then
    printf '#!/bin/sh\necho deployed\n' >/home/deploy/deploy
    chmod 755 /home/deploy/deploy
fi
seq 20000 >/home/deploy/app/server.log
touch '/home/deploy/a b'
printf '#!/bin/sh\nexec sleep 100\n' >/srv/run
chmod +x upgrade.sh /srv/run
export line='echo "typed"; #' VT_STT_ENGINE=http://127.0.0.1:8080/transcribe
if has .wav || has arecord; then
    arecord note.wav
    sox -q note.wav note.flac
    for port in 8000 8080; do serve whisper-server --port $port; done
fi
if has /etc/nginx; then
    cp -a /etc "$directory/etc"
    mkdir -p "$directory/etc/nginx"
    echo 'user www;' >"$directory/etc/nginx/nginx.conf"
    mount --bind "$directory/etc" /etc
    mount --bind "$directory/hosts" /etc/hosts
    mount --bind "$directory/passwd" /etc/passwd
fi
if has /var/log; then
    mount -t tmpfs tmpfs /var/log
    mkdir /var/log/nginx
    echo entry | tee /var/log/nginx/access.log >/var/log/small.log
    seq 100 >/var/log/large.log
fi
if mentions dev || mentions web:dev; then (
    cp Makefile package.json setup.sh /srv/app
    cd /srv/app
    echo 'int a;' >src/main.c
    export GIT_{AUTHOR,COMMITTER}_{NAME,EMAIL}=ann@example.org
    git -c init.defaultBranch=main init -q && git add . && git commit -q -m Start
    git clone -q --bare . /srv/app.git && git remote add origin /srv/app.git && git fetch -q
    git branch -q --set-upstream-to origin/main
); fi
if has --tls-cert; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=desk.example \
        -addext subjectAltName=DNS:desk.example -keyout key.pem -out cert.pem 2>&1
fi
if [ -e "$directory/vt-aarch64" ]; then cp "$directory/vt-aarch64" .; fi
if has 'vt forward ' || has 'vt ssh '; then
    for port in 80 3000 5432; do serve apache $port; done
fi

# --- Recordings ------------------------------------------------------------------------------------------------------

# recording SECONDS: 30 lines of output, each after a pause, three markers, and the exit status.
recording() {
    echo '{"version":3,"term":{"cols":80,"rows":24},"timestamp":1700000000}'
    for i in {1..30}; do
        echo "[$1, \"o\", \"line $i: 1 error, ERROR on db$i, \\u001b[1mpassword: hunter$i\\u001b[0m\\r\\n\"]"
        case $i in 5) echo '[0, "m", "login"]' ;; 10) echo '[0, "m", "build"]' ;; 25) echo '[0, "m", "done"]' ;; esac
    done
    echo '[1, "x", "0"]'
}
recording 4 | tee demo.cast intro.cast >a.cast
recording 0.02 >build.cast
if has typescript; then script -q -c 'echo hello' --log-out typescript --log-timing times </dev/null >/dev/null; fi

# --- Sessions --------------------------------------------------------------------------------------------------------

# session [MACHINE:]NAME [OPTIONS] [-- COMMAND…]: creates the session if an example uses it.
session() {
    mentions "$1" || { [[ $1 == *build ]] && has "$every_build"; } || return 0
    if ! has "vt sessions create $1" && ! has "vt sessions create web:$1"; then vt sessions create "$@" </dev/null; fi
}
every_build='vt sessions list'
if has 'vt sessions reap' || has 'vt sessions cleanup'; then every_build='vt sessions '; fi
for machine in '' web:; do
    session ${machine}build --cwd "$PWD" -- build
    session ${machine}dev --cwd /srv/app --auto-snapshot -- bash
    session ${machine}shell -- bash
done
dialog=(--size 60x15 -- dialog --menu Color 12 40 4 r red g green b blue)
session repl -- python3 -q
session editor -- vim notes.txt
session menu "${dialog[@]}"
session installer -- button '<OK>'
session tree -- button src
session app -- bash -c 'printf "\e[31mERROR\e[0m\n"; read'
session db -- psql
session web:psql -- psql
for machine in web db; do session $machine:app -- bash -c 'echo listening on 8080; read'; done
session web:deploy -- bash
session web:agent -- cat
session web:worker -- sleep 100
session web:tail -- tail -f /dev/null
session web:top -- top
session ci-1 -- sleep 100
session ci-2 -- sleep 100
for name in installer tree app; do
    if mentions $name; then vt sessions wait $name --match 'OK|src|ERROR' --from 0 --timeout 15s; fi
done
if mentions app; then vt sessions screen app --expect menu.txt --update; fi
for name in dev web:dev; do
    mentions $name || continue
    for command in 'make test' false 'echo "int b;" | tee -a src/main.c'; do vt sessions exec $name "$command"; done
done
if { has before-upgrade || has 'vt snapshot list'; } && ! has 'vt snapshot create'; then
    vt snapshot create dev --name before-upgrade
    vt sessions exec dev 'echo "int c;" >>src/main.c'
    vt snapshot create dev
fi
if has kind=safety; then vt rollback dev before-upgrade --yes; fi
if has 'vt queue ' && mentions web:deploy; then vt queue add web:deploy --line make test; fi
if has 'vt key ' && ! has 'vt key generate' && ! has 'vt key import'; then vt key generate deploy; fi
if has 'vt host list' || has 'vt host forget'; then
    vt host trust --all --tag prod
    echo "@revoked old.example $host_key" >>/home/me/.config/vt/known_hosts
fi
if has ssh-add; then eval "$(ssh-agent)"; fi
if has 'vt profile connections'; then VT_SHARE=1m vt exec web true; fi
if has -stdin; then export DBUS_SESSION_BUS_ADDRESS=$(keyring); fi
# The page server of this machine, which is also a VibeTunnel server.
serve_pages() {
    local origin=
    if has --vibetunnel; then origin='--vibetunnel --origin http://mac.lan:4020/'; fi
    vt sessions create pages --if-exists ok -- vt serve $origin
    vt sessions wait pages --match 'http.*' --from 0 --timeout 15s
}
if has 'vt share '; then serve_pages; fi
if has --vibetunnel; then export PASSWORD=$(serve_pages | sed -n 's/.*#k=//p'); fi

# --- Each example ----------------------------------------------------------------------------------------------------

finish() { vt sessions send "$1" --enter && vt sessions wait "$1" --exit --timeout 15s; }
later() { (sleep 0.5; "$@") >"$out.later" 2>&1 & }

before() {
    local name
    name=$(grep -oE '(web:)?build' "$1" | head -n 1)
    case $(<"$1") in
    'vt exec --merge parts')
        for i in 1 2 3 4; do vt exec --all --shard $i/4 --gather --json uptime >parts/$i.json; done
        ;;
    'vt host scan '*changed)
        ssh-keygen -q -t ed25519 -N '' -f "$directory/other_key"
        echo "web.example $(cut -d ' ' -f 1,2 "$directory/other_key.pub")" >/home/me/.config/vt/known_hosts
        ;;
    'mkdir -p parts'*) rm -rf parts ;;
    *SLURM_ARRAY_TASK_ID*) export SLURM_ARRAY_TASK_{ID=0,COUNT=4,MIN=0,MAX=3,STEP=1} ;;
    *UPDATE*)
        UPDATE=--update bash -e "$1"
        vt sessions cleanup menu
        ;;
    *result.json* | *'import subprocess'*) vt sessions create menu --if-exists ok "${dialog[@]}" ;;
    'while read '*)
        input=$directory/keys
        printf ' y' >"$input"
        ;;
    'vt mcp '*)
        input=$directory/request
        echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}' >"$input"
        ;;
    'vt profile add desk '*link.txt) vt share --owner >link.txt ;;
    'vt serve'* | 'vt forward ann@desk.example '*) vt sessions kill pages --rm ;;
    'vt share '*) serve_pages ;;
    'vt profile import '*) vt profile remove web-3 web-4 ;;
    'vt record '*' -f '* | 'vt sessions logs '*' -f '*) later finish "$name" ;;
    'vt record '*'| vt cast grep '* | 'vt sessions wait build --exit' | 'vt sessions cleanup build' | *'jq .exit.code')
        if [ -n "$name" ]; then finish "$name"; fi
        ;;
    'vt record '*) rm -f build.cast demo.cast ;;
    'vt sessions ask '*) later vt sessions ask "$(cut -d ' ' -f 4 "$1")" --done ;;
    'vt sessions cleanup web db '*) finish web:build ;;
    'vt sessions list '*'exit.code'*) finish build ;;
    'vt sessions pause web:dev '*) vt sessions send web:dev 'sleep 100' --enter ;;
    'vt sessions resume build web:dev') vt sessions freeze build && vt sessions pause web:dev ;;
    'vt sessions wait --any web:app '*) later finish web:app ;;
    esac
    # The IDs and fingerprints of the examples become those of this machine.
    case $(<"$1") in
    *3f2a*)
        sed -i 's/ \([a-z]*\) 3f2a/ \1 $(vt snapshot list \1 --ids | tail -n 2 | head -n 1)/' "$1"
        sed -i 's/81c0/$(vt snapshot list dev --ids | tail -n 1)/' "$1"
        ;;
    *5d0c9a3e7b1f2468*) sed -i "s/5d0c9a3e7b1f2468/$(vt queue list --ids | head -n 1)/" "$1" ;;
    *SHA256:47DEQ*) sed -i "s|SHA256:[^ ]*|$(ssh-keygen -lf "$directory/host_key" | cut -d ' ' -f 2)|" "$1" ;;
    esac
}

how() {
    mode=program
    case $(<"$1") in
    'vt attach '*) mode=terminal keys='\x1d' ;;    # ^], the detach key
    'vt ssh web' | 'vt record -o demo.cast') mode=terminal keys='exit\r' ;;
    'vt ssh -tt '*) mode=terminal keys=q ;;
    *' -L 8080:localhost:80'*) mode=probe probe='curl -sf http://127.0.0.1:8080/' ;;
    'vt forward web -R '*) mode=probe probe='curl -sf http://127.0.0.1:9000/' ;;
    'vt forward web -D '*) mode=probe probe='curl -sf --socks5 127.0.0.1:1080 http://localhost/' ;;
    'vt forward ann@desk.example '*) mode=probe probe='[ -s "$out.out" ]' ;;
    'vt ssh -N -R 0:'*) mode=probe probe='[ -s "$out.err" ]' ;;
    'ssh -o ProxyCommand='*) mode=terminal keys='exit\r' ;;
    *--tls-cert*)
        mode=probe
        probe='curl -sf --cacert cert.pem --resolve desk.example:4020:192.0.2.1 https://desk.example:4020/'
        ;;
    'vt serve'*) mode=probe probe='curl -sf http://127.0.0.1:4020/' ;;
    esac
}

printed() { grep -qE -e "$1" "$out.out"; }
state() { [ "$(vt sessions show "$1" --json | jq -r .state)" = "$2" ]; }
shown() { vt sessions wait "$1" --match "$2" --from 0 --timeout 15s; }

after() {
    case $(<"$1") in
    'vt copy app.tar web:/srv/') [ -f /srv/app.tar ] ;;
    'vt copy -r web:'*) [ -f nginx/access.log ] ;;
    'vt copy --parents app.conf '*) [ -f /srv/app/etc/app.conf ] ;;
    'vt copy '*'configurations') [ -f configurations/web/nginx.conf ] && [ -f configurations/web-7/nginx.conf ] ;;
    'vt copy -r --resume '*) [ -f /home/deploy/backup/photos/1.jpg ] ;;
    'vt exec --all --retry-failed '*) printed 'nas: upgraded --now' && [ ! -s failed.txt ] ;;
    'vt exec --all --shard '*) [ -e parts/1.json ] ;;
    'vt exec --merge '*) [ "$(grep -c up "$out.out")" = 5 ] ;;
    "vt exec 'web-*' "*) ! printed web-7 && printed 'up ' ;;
    'vt ls web:/var/log '*) [[ $(sed -n 2p "$out.out") == *large.log ]] && ! printed nginx ;;
    'vt cat --max-bytes '*) [ "$(wc -c <"$out.out")" = 65536 ] ;;
    'vt sessions create build '*) state build exited ;;
    'id='*) state web:shell running ;;
    'vt sessions create '*) printed '^[0-9a-f]{12}$' ;;
    'vt sessions list web --ids') printed '^web:build$' ;;
    'vt sessions list --fields '*) printed 'build.0$' ;;
    'vt sessions list'*) printed build ;;
    *'jq .exit.code') printed '^0$' ;;
    'vt sessions logs build --plain '*) [ "$(wc -l <"$out.out")" = 20 ] ;;
    'vt sessions logs dev '*) printed 'int b' ;;
    'vt sessions logs build --filter '*) printed cc && ! printed '44m' ;;
    'vt sessions logs web:build '*) printed 'BUILD OK' ;;
    'vt sessions logs build -f '*) grep -q 'BUILD OK' build.log && [ -s build.cursor ] ;;
    'vt sessions logs build --from '*) [ "$(wc -c <"$out.out")" = 512 ] ;;
    'vt sessions send shell '*'make test'*) shown shell 'test done' ;;
    'vt sessions send shell '*'$line'*) shown shell typed ;;
    'vt sessions send repl '*) printed imported ;;
    'vt sessions send editor '*) vt sessions wait editor --exit --timeout 15s && [ -e notes.txt ] ;;
    'vt sessions send installer '*) vt sessions wait installer --exit --timeout 15s ;;
    'vt sessions send tree '*) vt sessions wait tree --exit --timeout 15s ;;
    'vt sessions send web:psql '*) shown web:psql '1 row' ;;
    'vt sessions exec dev --file '*) [ "$(vt sessions exec dev 'echo $READY')" = 1 ] ;;
    'vt sessions exec web:deploy '*) printed 'test done' ;;
    'vt sessions screen web:top '*) head -c 4 top.png | grep -q PNG ;;
    'vt sessions screen app --find '*) printed ERROR ;;
    'vt sessions history dev --failed '*) printed false && ! printed make ;;
    'vt sessions history dev --match '*) printed '^1$' ;;
    'vt sessions history dev') printed false && printed make ;;
    'vt sessions resize '*) [ "$(vt sessions show build --json | jq -r .size.columns)" = 132 ] ;;
    'vt sessions freeze build'*) state build frozen ;;
    'vt sessions freeze web:worker '*) state web:worker running ;;
    'vt sessions pause '*) state "$(cut -d ' ' -f 4 "$1")" paused ;;
    'vt sessions resume build web:dev') state build running && state web:dev running ;;
    'vt sessions resume '*) state "$(cut -d ' ' -f 4 "$1")" running ;;
    'vt sessions rename '*) state build-old running ;;
    'vt sessions kill build') state build exited ;;
    'vt sessions kill web:tail '*) state web:tail exited ;;
    'vt sessions kill ci-1 '*) ! vt sessions show ci-1 ;;
    'vt sessions cleanup build') ! vt sessions show build ;;
    'vt sessions cleanup web db '*) printed '^[0-9a-f]{12}$' ;;
    'vt attach --create web:main') state web:main running ;;
    'vt attach build' | 'vt attach web:build '*) printed detached && state build running ;;
    'echo make | vt attach build') printed 'BUILD OK' ;;
    'vt queue flush') [ -z "$(vt queue list --filter state=waiting --ids)" ] ;;
    'vt queue drop '*) [ -z "$(vt queue list --ids)" ] ;;
    'make 2>&1 '*) grep -q done build.log ;;
    'vt transcribe '* | arecord*) printed '^(List all files\.|ls -la)$' ;;
    'text='* | 'while read '*) shown shell 'ls -la' ;;
    'vt record web:build '*) [ -s web-build-*.cast ] ;;
    'vt record '*'| vt cast grep '*) ;;
    'vt record -o demo.cast --script '*) grep -q 'test done' demo.cast ;;
    *' -o '*.cast) vt cast info "$(grep -oE '[a-z0-9]+\.cast$' "$1")" ;;
    *'gzip >b.cast.gz') zcat b.cast.gz | grep -q 'on x' && ! zcat b.cast.gz | grep -q db ;;
    'vt cast screen '*'>done.png') head -c 4 done.png | grep -q PNG ;;
    'vt cast render '*) [ -s "$(grep -oE '(demo|stills)\.[a-z]+$' "$1")" ] ;;
    'vt snapshot create '*) printed '^[0-9a-f]{12}$' ;;
    'vt snapshot list '*) printed '[0-9a-f]{12}' ;;
    'vt rollback dev before-upgrade --dry-run') printed src/main.c && grep -q 'int c' /srv/app/src/main.c ;;
    'vt rollback '*' --path '*) grep -q 'int c' /srv/app/src/main.c ;;
    'vt rollback '*) ! grep -q 'int c' /srv/app/src/main.c ;;
    'vt diff dev --turn '*) printed '^\+int c' ;;
    'vt diff '*) printed src/main.c ;;
    'vt profile edit web --port '*) vt profile show web --json | grep '"port":2222.*"tags":\["prod","eu"\]' ;;
    'vt profile remove '*) ! vt profile show web && ! vt profile show db ;;
    'vt profile rename '*) vt profile show web1 ;;
    'vt profile import --dry-run') ! vt profile show web-3 ;;
    'vt profile import '*) vt profile show web-3 ;;
    'vt profile connections') printed '^web' ;;
    'vt profile connections '*) [ -z "$(vt profile connections --ids)" ] ;;
    *'vt profile add box '*) [ "$(vt exec box 'echo here')" = here ] ;;
    *'vt profile add lab '*) [ "$(vt exec lab 'echo here')" = here ] ;;
    *'vt profile add desk '*) vt sessions list desk --ids | grep -q build ;;
    *'vt profile add '*) vt profile show "$(grep -oE 'profile add [a-z]+' "$1" | cut -d ' ' -f 3)" ;;
    'vt key import '*) vt key show laptop ;;
    'ssh-add '*) ssh-add -l | grep -q ED25519 ;;
    'vt host list web.example:2222') printed ssh-ed25519 ;;
    'vt host list '*revoked | 'vt host scan '*changed) [ "$(wc -l <"$out.out")" = 2 ] ;;
    'vt install arm '*) [ -x /home/dba/.local/bin/vt ] && cmp vt-aarch64 /home/dba/.local/bin/vt ;;
    'vt host forget web.example') ! vt host list | grep -q '^web.example ' ;;
    'vt host forget '*) printed db.internal ;;
    'vt shell-init '*) [ -s "/home/me/$(grep -oE '\.[a-z]+$' "$1")" ] ;;
    'vt completion zsh '*) [ -s _vt ] ;;
    'vt mcp '*) printed '"result"' ;;
    'vt help agents '*) grep -q '^name: ' SKILL.md ;;
    esac >"$out.after" 2>&1
}
