# What the README and the guide need: a small project in the current directory, and the same one on the server.
cat >Makefile <<'END'
all: app
app: main.c
	@echo "$<:3: error: expected ';'"; exit 1

test:
	@echo ok
END
cp Makefile /srv
touch main.c src/app.c
(cd src && apache 80 &)
printf 'Host old\n    HostName old.example\n' >/home/me/.ssh/config
printf '#!/bin/sh\necho deployed\n' >/home/deploy/deploy.sh
chmod +x /home/deploy/deploy.sh
git init -q --bare /srv/app.git
git -c init.defaultBranch=main init -q history
git -C history -c user.name=me -c user.email=me@example.org commit -q --allow-empty -m Start
git -C history push -q /srv/app.git HEAD:main
git -C /srv/app.git symbolic-ref HEAD refs/heads/main
rm -rf history

before() {
    case $(<"$1") in
    'vt share '*)
        vt sessions create pages --if-exists ok -- vt serve
        vt sessions wait pages --match http --from 0 --timeout 5s
        ;;
    esac
}

how() {
    case $(<"$1") in
    'vt serve') mode=probe probe='curl -sf http://127.0.0.1:4020/' ;;
    'vt attach '*) mode=terminal keys='\x1d' ;;    # ^], the detach key
    esac
}
