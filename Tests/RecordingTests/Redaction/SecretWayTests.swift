import Testing

/// Secrets without a known format, which are recognized by their context.
struct SecretWayTests {
    /// Contexts of a secret, in which `S` stands for the secret.
    static let ways: [String] = [
        "DB_PASSWORD=S", "export DB_PASSWORD=S", "DB_PASSWORD='S' make", "DB_PASSWORD=\"S\" make", "API_KEY=S ./run",
        "password: S", "  password: S", "password = S", "password=\"S\"", "\"password\": \"S\",", "'password' => 'S',",
        ":password => 'S'", "password := S", "API_KEY ?= S", "CFLAGS_TOKEN += S", "token := \"S\"", "secret_key: S",
        "client_secret=S&grant_type=x", "https://x.example/?access_token=S&page=2", "api-key: S", "X-Api-Key: S",
        "PRIVATE-TOKEN: S", "Authorization: Bearer S", "Authorization: Basic S", "authorization: token S",
        "curl -H 'Authorization: Bearer S' https://x", "curl -H \"X-Auth-Token: S\" https://x",
        "Proxy-Authorization: Basic S",
        "curl -u alice:S https://x", "curl --user alice:S https://x", "curl -ualice:S https://x",
        "curl -b 'sid=S' https://x",
        "Cookie: sid=S; theme=dark", "Set-Cookie: sid=S; Path=/; HttpOnly", "deploy --token S --verbose",
        "deploy --password S",
        "deploy --password=S", "deploy --api-key 'S'", "mysql -uroot -pS shop", "mysqldump -u root -pS shop",
        "sshpass -p S ssh host",
        "sshpass -pS ssh host", "docker login -u alice -p S", "redis-cli -h cache -a S", "zip -P S a.zip a",
        "machine x.example login alice password S", "machine x.example\r\n  login alice\r\n  password S",
        "db.example:5432:shop:alice:S",
        "{\"auths\": {\"r.example\": {\"auth\": \"S\"}}}", "_authToken=S", "//registry.example/:_authToken=S",
        "npm config set //r/:_authToken S",
        "<password>S</password>", "<entry name=\"api_token\">S</entry>", "<user password=\"S\"/>",
        "{\"name\":\"x_token\",\"value\":\"S\"}",
        "{\"name\": \"DB_PASSWORD\", \"value\": \"S\"}", "- name: DB_PASSWORD\r\n  value: S",
        "{\\\"token\\\":\\\"S\\\"}", "{\\\"password\\\": \\\"S\\\"}",
        "+ export API_TOKEN=S", "++ DB_PASSWORD=S", "+ curl -u alice:S https://x", "setenv API_TOKEN S",
        "set -gx API_TOKEN S",
        "$env:API_TOKEN = \"S\"", "set API_TOKEN=S", "CREATE USER a IDENTIFIED BY 'S';",
        "ALTER USER a WITH PASSWORD 'S';",
        "CREATE USER a IDENTIFIED WITH caching_sha2_password BY 'S'", "SET PASSWORD FOR a = PASSWORD('S');",
        "Password for alice: S",
        "[sudo] password for alice: S", "alice@host's password: S", "Enter passphrase for key '/home/a/.ssh/id_rsa': S",
        "Password: S",
        "postgres://alice:S@db/shop", "redis://:S@cache:6379/0", "https://alice:S@git.example/r.git",
        "jdbc:x://db;user=a;password=S;ssl=true",
        "Server=db;User Id=a;Password=S;Encrypt=yes", "AccountName=a;AccountKey=S;EndpointSuffix=x",
        "aws_secret_access_key = S",
        "AWS Secret Access Key [None]: S", "define('DB_PASSWORD', 'S');", "spring.datasource.password=S",
        "dbPassword: 'S'",
        "clientSecret = \"S\"", "PGPASSWORD=S psql", "MYSQL_PWD=S mysql", "REFRESH_TOKEN=S", "ansible_ssh_pass=S",
        "psk=\"S\"",
        "define(\"DB_PASSWORD\", \"S\")", "headers = {\"Authorization\": \"GenieKey S\"}", "if password == 'S':",
        "connect(user, password='S')", "connect(token=S)",
        "[\"--token\", \"S\"]", "--from-literal=password=S", "ENCRYPTION_KEY=S",
        "Your password is: S", "API key is: S",
        "openssl rsa -in k -passin pass:S -out x", "openssl enc -pass 'pass:S'", "openssl x -passout pass:S",
        "ssh-keygen -t ed25519 -N S -f k", "ssh-keygen -p -P 'S' -f k",
        "  ~ password = \"a1b2c3\" -> \"S\"", "  ~ api_key = \"S\" -> (known after apply)",
        "password: [-a1b2c3-]{+S+}", "[-password=S-]{+password=a1b2c3+}", "token = [-\"S\"-]{+\"a1b2c3d4\"+}",
        "const apiKey = \"S\"", "$password = 'S';", "var password string = \"S\"", "password: str = \"S\"",
        "let password: String = \"S\"", "let token: &str = \"S\"",
        "password: |\r\n  S", "db_token: >-\r\n  S\r\nnext: x",
        " user | password\r\n------+----------\r\n al   | S",
        "| user | api_token |\r\n+------+-----------+\r\n| al   | S |",
        "│ user │ api_token │\r\n├──────┼───────────┤\r\n│ al   │ S │", "-[ RECORD 1 ]---\r\npassword | S",
        "Key         Value\r\n---         -----\r\npassword    S",
        "kind: Secret\r\ndata:\r\n  x.y: S", "data:\r\n  x.y: S\r\nkind: Secret",
        "stringData:\r\n  x: |\r\n    S\r\nkind: Secret",
        "  \"data\": {\r\n    \"x\": \"S\"\r\n  },\r\n  \"kind\": \"Secret\"",
        "{\"password\": \"the S\"}", "token=\"to S\"", "password = 'is S not'",
    ]

    @Test(arguments: ways)
    func `recognizes a secret by its context`(_ way: String) throws {
        let secrets = (1...3 as ClosedRange<UInt64>).map { seed in
            RedactionSamples.value(seed == 3 ? "[a-zA-Z0-9]{39}7" : "[a-z]{3}[0-9]{2}[a-zA-Z0-9]{9}", seed: seed)
        }
        let lines = secrets.map { Self.line(way, $0) + "\r\n" }
        let results = try RedactionSamples.redacted(lines, columns: 200)
        for (index, result) in results.enumerated() {
            #expect(!result.contains(secrets[index].suffix(8)), "\(lines[index])")
            #expect(result.utf8.count == lines[index].utf8.count)
            #expect(result.prefix(4) == lines[index].prefix(4))
        }
    }

    /// Replaces each `S` that is not part of a word with the secret.
    static func line(_ way: String, _ secret: String) -> String {
        var result = ""
        let characters = Array(way)
        for (index, character) in characters.enumerated() {
            let next = index + 1 < characters.count ? characters[index + 1] : " "
            let former = index > 0 ? characters[index - 1] : " "
            let isAlone =
                character == "S" && !next.isLetter && next != "_"
                && (!former.isLetter || former == "p" && index > 1 && characters[index - 2] == "-")
            result += isAlone ? secret : String(character)
        }
        return result
    }

    static let harmless: [String] = [
        "{\"password\": \"must contain 8 characters\"}", "{\"token\": \"expired at 2026-01-02T10:00:00Z\"}",
        "token=\"the session_token_v2 of the API\"",
        "PASSWORD=$DB_PASSWORD make", "password=${DB_PASSWORD}", "token = os.environ[\"TOKEN\"]", "token: getToken()",
        "let token: String",
        "password: String,", "max_tokens: 4096", "max_tokens=4096", "tokens: 12", "token_count = 17",
        "alice ALL=(ALL) NOPASSWD: ALL",
        "PasswordAuthentication no", "PasswordAuthentication yes", "password: yes", "password=none", "secret: null",
        "token=true",
        "PermitEmptyPasswords: no", "password_file=/run/secrets/db", "token_type: bearer",
        "error: unexpected token: ';'", "syntax error near unexpected token `('",
        "PASS: tests/run.sh", "Password:", "Password: ", "[sudo] password for alice: ",
        "Enter passphrase (empty for no passphrase): ",
        "passwd: password updated successfully", "Sorry, try again.", "  --password string   password of the user",
        "  --token TOKEN       token to use",
        "deploy --token <token>", "deploy --password-stdin", "key: value", "keyboard: us", "monkey=banana",
        "primary key: id", "https://example.com:8080/a@b",
        "git@github.com:owner/repo", "ssh://git@host:22/repo", "docker run -u 1000:1000 -p 8080:80 web", "ls -p src",
        "mkdir -p a/b", "grep -u a:b file",
        "password authentication failed for user alice", "Bearer authentication is required",
        "the token is used for the login of the user", "secret santa: who is it",
        "author: Alice", "author=Alice", "self.password = password", "password = getpass.getpass()",
        "if token == nil { return }", "token: ${{ secrets.GITHUB_TOKEN }}",
        "password: <your password>", "password: ********", "api_key=YOUR_API_KEY", "token: invalid", "Secret: created",
        "file.c:12:5:error", "12:30:45:10:20",
        "pass 12, fail 3", "passed=12 failed=0", "secret/db created", "NAME TYPE DATA AGE", "compass: north",
        "bypass=1", "tokenizer: fast", "cookie: a",
        "-----BEGIN CERTIFICATE-----", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ alice",
        "getpass(prompt='Password: ', stream=None)", "read -p \"Password: \" -s answer",
        "input(\"Token: \", default=x1)",
        "self.features[\"auth\"] = self.features.get(\"auth\", \"\")", "auth = urllib.request.HTTPBasicAuthHandler()",
        "#define libssh2_userauth_password(session) libssh2_userauth_password_ex((session))",
        "my $auth = $self->_authenticate;", "  --delete-secret-keys           remove keys from the ring",
        "self.user, self.password = user, password", "proxy in the form scheme://[user:passwd@]proxy.server:port",
        "token_range = \"%d,%d-%d,%d:\" % where",
        "//9mDx9EAAABBVUmJabcdefghijkl4mnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVa/UFUSYn0vi4",
        "commit 3fea82e1c8a9d1f0b2c4e6a8d0f1b3c5e7a9d1f3",
        "    func rsaKey(passphrase: Secret?) throws -> RSAKey? {", "    var password: SecretSource?",
        "password: String!",
        "let token = client.attachment?.token", "    def read(self, name, pwd=None):",
        "def f(password: str, token: str):",
        "with repository.lock_write(token=lock_token):", "token=repo_token).repository_token",
        "encrypt_key=config.s3_use_sse)", "my ($user, $pass) = CPAN::HTTP::Credentials->$cred_method;",
        "my $pwd = CPAN::anycwd();", "$token = Service::getToken($scopes);", "    :type passphrase: :py:data:`bytes`",
        "# token          = 1*tchar", "token = 1*(ALPHA)", "known by its name, as in `PASSWORD=…`.",
        "export TOKEN=ya29.a0AfH6SMC78...", "export CREDENTIALS=$HOME/.config/gs-secret-key2.json",
        "if token == 'async' else AWAIT,", "if self.update_password == 'always' and not changed:",
        "if token != lock_token:", "if (token !== 'begin') {", "print(\"shlex: token=\" + repr(raw))",
        "POLICY_CREATE_SECRET = 0x00000020", "{ \"password\": BASE64 }",
        "print(\"shlex: token=EOF\")", "/// a comma or the like: `user=a;password=b`.",
        "/// `--token TOKEN`, and so on", "/// tells of a secret: `token_type`, `PASSWORD_FILE`.",
        "\"print(\\\"shlex: token=\\\" + repr(raw))\",", "\"Yandex secret\": \"YCP[A-Za-z0-9_-]{36}7\",",
        "key=\"-----BEGIN PRIVATE KEY-----\\nXXXX\\nXXXX\\n-----END PRIVATE KEY-----\"",
        "SERVER_AUTH = '1.3.6.1.5.5.7.3.1'", "    .. _`Bearer Token`: https://tools.ietf.org/html/rfc6750",
        "signing_key=alice@example.com", "def generate(cls, signing_key: 'SSHKey', algorithm: bytes)",
        "for param in ('grant_type', 'username', 'password', 'scope'):",
        "colon = ['passwd', 'shadow', 'group', 'gshadow']",
        "'HTTPPasswordMgrWithPriorAuth', 'AbstractBasicAuthHandler',",
        "('HTTPPasswordMgr', 'urllib2', 'urllib.request')",
        "'SSLCERT', 'KEYPASSWD', 'KRB4LEVEL',", "    .init(\"rubygems-token\", \"rubygems_\", .hex, leaks),",
        "    .init(\"baidu-api-key\", \"bce-v3/ALTAK-\", .slashed),", "log.info('token', 'creating')",
        "auth.get_password('https', host, user)", "const password = await read.password('Password:', x)",
        "msg: \"{{ lookup('pipe', 'getent passwd ' + user | quote) }}\"", "authorization = headers.get(",
        "authorization = authorization.split()", "def f(authorization_response=None,",
        "# Keep Authorization: headers on it.",
        "headers['Authorization'] = _basic_auth_str(user,", "Authorization: OAuth realm=\"Example\",",
        "rsync://user[:password]@host[:port]/path", "ftp://%(user)s[:%(password)s]@%(host)s/",
        "https://user:password@example.com/simple", "restic -r rest:https://user:pass@host:8000/ init",
        "b2://account_id:application_key@bucket/", "curl --user name:password https://example.com",
        "Set-Cookie: fig=newton", "Cookie: rocky=road; Path=/cookie", "    --delete-secret-keys name",
        "similar to those with --http-password pertain here", "the --username and --password options can be used",
        "curl --mail-auth user@example.com -T mail", "self._passphrase_userdata = userdata",
        "username, password = split", "        case .password: password = source",
        "HOME=/home/alice PWD=/home/alice/src", "new_raw_private_key(EVP_PKEY_ED25519, nil, seed.count)",
        "n.password:e,token:t", "a({password:this.state.password,token:t.token,secret:r,auth:n})",
        "ssh-keygen [-q] [-N new_passphrase] [-P old_passphrase]", "password is required: yes",
        "certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSURYZGZ3Y1haVzJlMGhlZ3dN",
    ]

    @Test(arguments: harmless)
    func `keeps text that is not a secret`(_ line: String) throws {
        #expect(try RedactionSamples.redacted(["\(line)\r\n"], columns: 120) == ["\(line)\r\n"])
    }

    /// Tables of versions and similar text, which redaction must not change.
    static let tables: [[String]] = [
        (10...19).map { "0.\($0)" },
        (10...40).map { "0.\($0).\($0 * 3)" },
        [
            "aiohttp==3.9.1", "anyio==4.2.0", "attrs==23.2.0", "certifi==2023.11.17", "charset-normalizer==3.3.2",
            "idna==3.6",
        ],
        ["libc6    2.36-9", "zlib1g   1.2.13", "openssl  3.0.11-1~deb12u2"],
        ["apiVersion: v1", "data:", "  color: blue-green7", "kind: ConfigMap", "---", "kind: Secret", "type: Opaque"],
        [" Column   | Type | Nullable", "----------+------+---------", " password | text | not null"],
        ["machine host.domain.example", "login myself", "password secret"],
        ["description: |", "  some text 12", "web-1  | token | session", "web-1  | Ab12cdef9 | session"],
        ["0.01 0.02 0.03 0.04 0.05 0.06 0.07 0.08 0.09 0.10 0.11 0.12 0.13 0.14 0.15 0.16 0.17 0.18"],
    ]

    @Test(arguments: tables)
    func `keeps versions and numbers, on the screen too`(_ lines: [String]) throws {
        let output = lines.map { "\($0)\r\n" }
        for columns in [80, 120] {
            #expect(try RedactionSamples.redacted(output, columns: columns, rows: 24) == output)
        }
        let painted = ["\u{1B}[2J"] + lines.enumerated().map { "\u{1B}[\($0.offset + 1)H\($0.element)" }
        #expect(try RedactionSamples.redacted(painted, columns: 80, rows: 50) == painted)
    }
}
