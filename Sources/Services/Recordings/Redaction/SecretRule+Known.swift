import Core

extension SecretRule {
    /// The shapes of `--secrets`; a private key, which is several lines, is for `KeyBlock`.
    ///
    /// Each from what its issuer documents: IAM User Guide "Unique identifiers"; GitHub Docs "GitHub's token formats";
    /// GitLab Docs "Token overview"; Slack "Token types"; Google Cloud "Using API keys"; Stripe "API keys"; RFC 7519 §3
    /// (JWT, whose header and claims begin with `{"`); RFC 6750 §2.1 and RFC 7617 §2 (Authorization); RFC 3986 §3.2.1
    /// (userinfo of a URL).
    package static func known() throws(VTError) -> [SecretRule] {
        [
            try SecretRule(
                "aws-access-key",
                "(AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
                hints: ["akia", "asia", "abia", "acca"]
            ),
            try SecretRule(
                "aws-secret-key",
                after: "aws_?secret_?(access_?)?key[\"']?[[:space:]]*[:=]?[[:space:]]*[\"']?",
                "[A-Za-z0-9/+]{40}",
                hints: ["secret"]
            ),
            try SecretRule(
                "github-token",
                "gh[pousr]_[A-Za-z0-9]{20,255}",
                hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]
            ),
            try SecretRule("github-token", "github_pat_[A-Za-z0-9_]{20,255}", hints: ["github_pat_"]),
            try SecretRule(
                "gitlab-token",
                "gl(pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct)-[A-Za-z0-9_.-]{20,255}",
                hints: [
                    "glpat-", "gloas-", "gldt-", "glrt-", "glrtr-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-",
                    "glsoat-", "glffct-",
                ]
            ),
            try SecretRule("slack-token", "xox[a-z]-[A-Za-z0-9-]{10,255}", hints: ["xox"]),
            try SecretRule("google-api-key", "AIza[A-Za-z0-9_-]{35}", hints: ["aiza"]),
            try SecretRule("stripe-key", "[sr]k_(live|test)_[A-Za-z0-9]{10,255}", hints: ["k_live_", "k_test_"]),
            try SecretRule("api-key", "sk-[A-Za-z0-9_-]{20,255}", hints: ["sk-"]),
            try SecretRule(
                "registry-token",
                "(npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{50,255})",
                hints: ["npm_", "pypi-"]
            ),
            try SecretRule(
                "jwt",
                "eyJ[A-Za-z0-9_-]{5,}\\.eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]*",
                hints: ["eyj"]
            ),
            try SecretRule("openssh-key", "b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/=]*", hints: ["b3blbnnzac1rzxktdje"]),
            try SecretRule(
                "authorization",
                after: "authorization[\"']?[[:space:]]*[:=][[:space:]]*[\"']?(bearer|basic|token|digest)[[:space:]]+",
                "[^[:space:]\"']+",
                hints: ["authorization"]
            ),
            try SecretRule("bearer-token", after: "bearer[[:space:]]+", "[A-Za-z0-9._~+/=-]{8,}", hints: ["bearer"]),
            try SecretRule(
                "url-password",
                after: "[a-z][a-z0-9+.-]*://[^/@:[:space:]]*:",
                "[^/@[:space:]]+",
                before: "@",
                hints: ["://"]
            ),
            try SecretRule(
                "password",
                after: "(pass(word|wd|phrase)?|pwd|secret|token|(api|access|private)[_-]?key|credentials?)"
                    + "[A-Za-z0-9_-]*[\"']?[[:space:]]*[:=][[:space:]]*",
                "(\"[^\"]+\"|'[^']+'|[^[:space:]\"',;&]+)",
                hints: ["pass", "pwd", "secret", "token", "key", "credential"]
            ),
        ]
    }
}
