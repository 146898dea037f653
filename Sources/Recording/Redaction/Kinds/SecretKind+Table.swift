extension SecretKind {
    /// All kinds that are recognized by a unique mark.
    static let all: [SecretKind] = clouds + code + services + models + payments

    // The sources are the configurations of gitleaks (config/gitleaks.toml) and Betterleaks (config/betterleaks.toml),
    // the rules of Kingfisher (crates/kingfisher-rules/data/rules), and the detectors of TruffleHog (pkg/detectors);
    // for formats that none of these contain, the source is the issuer's documentation. GitHub's "Supported secret
    // scanning patterns" lists kinds without their formats, so the lengths in those rows are wide ranges.
    private static let leaks = "gitleaks"
    private static let better = "Betterleaks"
    private static let king = "Kingfisher"
    private static let hog = "TruffleHog"
    private static let hub = "GitHub secret scanning"
    private static let azure = "Microsoft Security Utilities"
    private static let doppler = "Doppler, Auth token formats"

    private static let clouds: [SecretKind] = [
        .init("aws-access-key", "AKIA", .upperDigits, 16...16, "IAM User Guide, Unique identifiers"),
        .init("aws-access-key", "ASIA", .upperDigits, 16...16, "IAM User Guide, Unique identifiers"),
        .init("aws-access-key", "ABIA", .upperDigits, 16...16, "IAM User Guide, Unique identifiers"),
        .init("aws-access-key", "ACCA", .upperDigits, 16...16, "IAM User Guide, Unique identifiers"),
        .init("aws-bedrock-key", "ABSK", .base64, 100...280, leaks),
        .init("aws-bedrock-key", "bedrock-api-key-", .base64, 40...2000, leaks),
        .init("aws-mws-token", "amzn.mws.", .base64URL, 36...36, hub),
        .init("aiven-password", "AVNS_", .base64URL, 15...40, hub),
        .init("alibaba-access-key", "LTAI", .alphanumeric, 12...24, leaks),
        .init("azure-client-secret", "Q~", .dottedTilde, 31...34, head: .init(.dottedTilde, 4...4), leaks),
        .init("azure-search-key", "AzSe", .alphanumeric, 6...6, head: .init(.alphanumeric, 42...42), azure),
        .init("azure-function-key", "AzFu", .base64URLPadded, 5...8, head: .init(.base64URL, 44...44), azure),
        .init("azure-cosmos-key", "ACDb", .base64, 8...8, head: .init(.base64, 76...76), azure),
        .init("azure-storage-key", "+ASt", .base64, 8...8, head: .init(.base64, 76...76), king),
        .init("azure-devops-token", "AZDO", .alphanumeric, 4...5, head: .init(.alphanumeric, 76...76), king),
        .init("baidu-api-key", "bce-v3/ALTAK-", .slashed, 40...100, hub),
        .init("cloudflare-origin-ca-key", "v1.0-", .hexHyphen, 171...171, leaks),
        .init("databricks-token", "dapi", .hex, 32...32, leaks),
        .init("databricks-token", "dapi", .hexHyphen, 34...34, leaks),
        .init("databricks-token", "dose", .hex, 32...32, hub),
        .init("digitalocean-token", "dop_v1_", .hex, 64...64, leaks),
        .init("digitalocean-token", "doo_v1_", .hex, 64...64, leaks),
        .init("digitalocean-token", "dor_v1_", .hex, 64...64, leaks),
        .init("digitalocean-spaces-key", "DO00", .upperDigits, 16...16, hog),
        .init("doppler-token", "dp.pt.", .alphanumeric, 40...44, doppler),
        .init("doppler-token", "dp.st.", .dotted, 40...80, doppler),
        .init("doppler-token", "dp.ct.", .alphanumeric, 40...44, doppler),
        .init("doppler-token", "dp.sa.", .alphanumeric, 40...44, doppler),
        .init("doppler-token", "dp.said.", .alphanumeric, 40...44, doppler),
        .init("doppler-token", "dp.scim.", .alphanumeric, 40...44, doppler),
        .init("doppler-token", "dp.audit.", .alphanumeric, 40...44, doppler),
        .init("fly-token", "fo1_", .base64URL, 43...43, leaks),
        .init("fly-token", "fm1r_", .base64, 100...4000, leaks),
        .init("fly-token", "fm1a_", .base64, 100...4000, leaks),
        .init("fly-token", "fm2_", .base64, 100...4000, leaks),
        .init("google-api-key", "AIza", .base64URL, 35...35, "Google Cloud, Using API keys"),
        .init("google-api-key", "AQ.", .base64URL, 45...80, better),
        .init("google-client-secret", "GOCSPX-", .base64URL, 28...28, king),
        .init("google-access-token", "ya29.", .dotted, 20...2000, king),
        .init("google-refresh-token", "1//0", .base64URL, 40...300, king),
        .init("heroku-token", "HRKU-", .base64URL, 36...66, leaks),
        .init("neon-token", "napi_", .lowerDigits, 40...80, hub),
        .init("netlify-token", "nfp_", .word, 36...48, hog),
        .init("netlify-token", "nfo_", .alphanumeric, 36...40, hub),
        .init("netlify-token", "nfc_", .alphanumeric, 36...40, hub),
        .init("openshift-token", "sha256~", .base64URL, 43...43, leaks),
        .init("planetscale-token", "pscale_tkn_", .dotted, 32...64, leaks),
        .init("planetscale-password", "pscale_pw_", .dotted, 32...64, leaks),
        .init("planetscale-token", "pscale_oauth_", .dotted, 32...64, leaks),
        .init("pulumi-token", "pul-", .hex, 40...40, leaks),
        .init("scaleway-access-key", "SCW", .upperDigits, 17...17, "Scaleway SDK"),
        .init("scalingo-token", "tk-us-", .base64URL, 48...48, leaks),
        .init("supabase-token", "sbp_", .hexWord, 40...56, better),
        .init("supabase-secret-key", "sb_secret_", .base64URL, 31...60, better),
        .init("tailscale-key", "tskey-", .base64URL, 20...80, "Tailscale, Key prefixes"),
        .init("tencent-secret-id", "AKID", .alphanumeric, 32...32, hub),
        .init("terraform-token", ".atlasv1.", .base64URLPadded, 60...70, head: .init(.alphanumeric, 14...14), leaks),
        .init("vault-token", "hvs.", .base64URL, 24...300, leaks),
        .init("vault-token", "hvb.", .base64URL, 24...400, leaks),
        .init("vault-token", "hvr.", .base64URL, 24...400, "Vault, Tokens"),
        .init("vercel-token", "vcp_", .base64URL, 24...80, better),
        .init("vercel-token", "vca_", .base64URL, 24...80, better),
        .init("vercel-token", "vci_", .base64URL, 24...80, better),
        .init("vercel-token", "vcr_", .base64URL, 24...80, better),
        .init("vercel-token", "vck_", .base64URL, 24...80, better),
        .init("volcengine-access-key", "AKLT", .base64, 40...60, hub),
        .init("yandex-key", "AQVN", .base64URL, 35...38, leaks),
        .init("yandex-token", "t1.", .dottedPadded, 80...400, leaks),
        .init("yandex-token", "y0_", .base64URL, 40...64, hub),
        .init("yandex-key", "YCAJE", .base64URL, 20...20, hub),
        .init("yandex-key", "YCM", .base64URL, 37...37, hub),
        .init("yandex-key", "YCN", .base64URL, 37...37, hub),
        .init("yandex-key", "YCO", .base64URL, 37...37, hub),
        .init("yandex-key", "YCP", .base64URL, 37...37, hub),
    ]

    private static let code: [SecretKind] = [
        .init("github-token", "ghp_", .alphanumeric, 20...255, "GitHub, Token formats"),
        .init("github-token", "gho_", .alphanumeric, 20...255, "GitHub, Token formats"),
        .init("github-token", "ghu_", .alphanumeric, 20...255, "GitHub, Token formats"),
        .init("github-token", "ghs_", .alphanumeric, 20...255, "GitHub, Token formats"),
        .init("github-token", "ghr_", .alphanumeric, 20...255, "GitHub, Token formats"),
        .init("github-token", "github_pat_", .word, 20...255, "GitHub, Token formats"),
        .init("gitlab-token", "glpat-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "gldt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glrt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glrtr-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glcbt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glptt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glft-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glimt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glagent-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glsoat-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glffct-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "glwt-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-token", "gloas-", .dotted, 20...300, "GitLab, Token overview"),
        .init("gitlab-runner-token", "GR1348941", .base64URL, 20...50, "GitLab, Token overview"),
        .init("bitbucket-app-password", "ATBB", .alphanumeric, 24...40, hub),
        .init("atlassian-token", "ATATT3", .base64URLPadded, 20...300, leaks),
        .init("atlassian-token", "ATCTT3", .base64URLPadded, 20...300, hub),
        .init("atlassian-token", "ATSTT3", .base64URLPadded, 20...300, hub),
        .init("artifactory-key", "AKCp", .alphanumeric, 60...80, leaks),
        .init("artifactory-token", "cmVmdGtu", .alphanumeric, 50...60, leaks),
        .init("buildkite-token", "bkua_", .hex, 40...40, king),
        .init("buildkite-token", "bkaa_", .base64URL, 40...80, hub),
        .init("buildkite-token", "bkaj_", .base64URL, 40...400, hub),
        .init("buildkite-token", "bkar_", .base64URL, 40...80, hub),
        .init("buildkite-token", "bkct_", .base64URL, 40...80, hub),
        .init("buildkite-token", "bkpat_", .base64URL, 40...80, hub),
        .init("buildkite-token", "bkps_", .base64URL, 40...80, hub),
        .init("buildkite-token", "bkpt_", .base64URL, 40...220, hub),
        .init("circleci-token", "CCIPAT_", .word, 40...100, king),
        .init("circleci-token", "CCIPRJ_", .word, 40...100, king),
        .init("clojars-token", "CLOJARS_", .lowerDigits, 60...60, leaks),
        .init("crates-io-token", "cio", .alphanumeric, 32...32, king),
        .init("deno-token", "ddp_", .alphanumeric, 36...36, better),
        .init("deno-token", "ddw_", .alphanumeric, 36...36, hub),
        .init("docker-token", "dckr_pat_", .base64URL, 24...40, better),
        .init("docker-token", "dckr_oat_", .base64URL, 24...40, better),
        .init("endorlabs-token", "endr+", .base64URL, 16...16, better),
        .init("harness-token", "pat.", .dotted, 67...70, leaks),
        .init("harness-token", "sat.", .dotted, 67...70, leaks),
        .init("infracost-token", "ico-", .alphanumeric, 32...32, leaks),
        .init("launchdarkly-key", "sdk-", .hexHyphen, 36...36, hub),
        .init("launchdarkly-key", "api-", .hexHyphen, 36...36, hub),
        .init("npm-token", "npm_", .alphanumeric, 36...36, "npm, About access tokens"),
        .init("nuget-key", "oy2", .lowerDigits, 43...43, king),
        .init("octopus-key", "API-", .upperDigits, 25...32, leaks),
        .init("packagist-token", "packagist_", .word, 72...72, hub),
        .init("postman-key", "PMAK-", .hexHyphen, 59...59, leaks),
        .init("prefect-token", "pnu_", .alphanumeric, 36...36, leaks),
        .init("prefect-token", "pnb_", .alphanumeric, 36...36, hub),
        .init("pypi-token", "pypi-", .base64URL, 50...1100, "PyPI, API tokens"),
        .init("readme-token", "rdme_", .lowerDigits, 70...70, leaks),
        .init("rubygems-token", "rubygems_", .hex, 48...48, leaks),
        .init("sentry-token", "sntrys_", .base64Padded, 60...400, leaks),
        .init("sentry-token", "sntryu_", .hex, 64...64, leaks),
        .init("snyk-token", "snyk_", .dotted, 36...100, hub),
        .init("sonar-token", "squ_", .hex, 40...40, leaks),
        .init("sonar-token", "sqp_", .hex, 40...40, leaks),
        .init("sonar-token", "sqa_", .hex, 40...40, leaks),
        .init("sourcegraph-token", "sgp_", .hexWord, 40...60, leaks),
        .init("sourcegraph-token", "slk_", .hex, 64...64, leaks),
        .init("wakatime-key", "waka_", .hexHyphen, 36...36, hub),
    ]
}

extension SecretKind.Head {
    init(_ alphabet: TokenAlphabet, _ length: ClosedRange<Int>) {
        self.init(alphabet: alphabet, length: length)
    }
}

extension TokenAlphabet {
    static var hexHyphen: TokenAlphabet { [.hex, .hyphen] }
    static var hexWord: TokenAlphabet { [.hex, .underscore, .lowerRest] }
    static var dottedTilde: TokenAlphabet { [.dotted, .tilde] }
    static var dottedPadded: TokenAlphabet { [.dotted, .equals] }
    static var base64URLPadded: TokenAlphabet { [.base64URL, .equals] }
    static var base64Padded: TokenAlphabet { [.base64, .underscore, .hyphen] }
    static var slashed: TokenAlphabet { [.base64URL, .slash] }
}
