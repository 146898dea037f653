import Testing

/// Tokens in the formats that their issuers use.
struct SecretKindTests {
    static let recipes: [String: String] = [
        "Aikido": "AIK_CI_[A-Za-z0-9]{31}7", "Canva": "cnvca[a-zA-Z0-9_-]{50}7",
        "CockroachDB": "CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{39}7",
        "ConfigCat": "configcat-sdk-1/[A-Za-z0-9_-]{22}/[A-Za-z0-9_-]{21}7", "Devin": "cog_[a-z2-7]{51}7",
        "Elastic": "essu_[A-Za-z0-9_-]{79}7", "MiniMax": "sk-api-[A-Za-z0-9_-]{118}7",
        "Slack cookie": "xoxd-[a-zA-Z0-9%]{150}7", "Stripe production": "sk_prod_[A-Za-z0-9]{24}",
        "UpCloud": "ucat_[0-9A-Za-z]{25}7", "Vercel": "vcp_[A-Za-z0-9_-]{55}7", "Voyage AI 2": "al-[A-Za-z0-9_-]{42}7",
        "xAI 2": "xai-[A-Za-z0-9_-]{99}7",
        "1Password": "ops_eyJ[a-zA-Z0-9+/]{260}",
        "1Password key": "A3-[A-Z0-9]{6}-[A-Z0-9]{11}-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
        "Adobe": "p8e-[a-z0-9]{32}", "age": "AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}",
        "Airtable": "pat[a-zA-Z0-9]{14}.[a-f0-9]{64}", "Aiven": "AVNS_[A-Za-z0-9_-]{18}7",
        "Alibaba": "LTAI[a-z0-9]{20}",
        "Anthropic": "sk-ant-api03-[a-zA-Z0-9_-]{93}AA", "Anthropic admin": "sk-ant-admin01-[a-zA-Z0-9_-]{93}AA",
        "Artifactory": "AKCp[A-Za-z0-9]{69}", "Artifactory reference": "cmVmdGtu[A-Za-z0-9]{56}",
        "Atlassian": "ATATT3[A-Za-z0-9_=-]{186}", "Atlassian access": "ATCTT3[A-Za-z0-9_=-]{186}",
        "Bitbucket": "ATBB[A-Za-z0-9]{32}",
        "Authress": "scauth_[a-z0-9]{9}.[a-z0-9]{4}.acc_[a-z0-9-]{12}.[a-z0-9+/_=-]{0}[a-z0-9]{40}",
        "AWS": "AKIA[A-Z2-7]{16}", "AWS session": "ASIA[A-Z2-7]{16}", "AWS bearer": "ABIA[A-Z2-7]{16}",
        "AWS Bedrock": "ABSK[A-Za-z0-9+/]{120}",
        "AWS MWS": "amzn.mws.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "Azure client": "[a-zA-Z0-9]{3}8Q~[a-zA-Z0-9_~.-]{33}4", "Azure DevOps": "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}",
        "Azure Search": "[A-Za-z0-9]{42}AzSe[A-Za-z0-9]{6}", "Brevo": "xkeysib-[a-f0-9]{64}-[a-zA-Z0-9]{16}",
        "Buildkite": "bkua_[a-f0-9]{40}", "CircleCI": "CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}",
        "ClickHouse": "4b1d[A-Za-z0-9]{38}",
        "Clojars": "CLOJARS_[a-z0-9]{60}", "Cloudflare": "v1.0-[a-f0-9]{24}-[a-f0-9]{146}",
        "Contentful": "CFPAT-[a-zA-Z0-9_-]{42}7",
        "crates.io": "cio[a-zA-Z0-9]{32}", "Databricks": "dapi[a-f0-9]{32}", "Databricks 2": "dapi[a-f0-9]{32}-2",
        "Defined": "dnkey-[a-z0-9]{26}-[a-z0-9]{52}", "Deno": "ddp_[a-zA-Z0-9]{36}",
        "DigitalOcean": "dop_v1_[a-f0-9]{64}",
        "DigitalOcean OAuth": "doo_v1_[a-f0-9]{64}", "DigitalOcean refresh": "dor_v1_[a-f0-9]{64}",
        "Discord webhook": "https://discord.com/api/webhooks/[0-9]{18}/[A-Za-z0-9_-]{68}",
        "Docker": "dckr_pat_[A-Za-z0-9_-]{26}7",
        "Docker organization": "dckr_oat_[A-Za-z0-9_-]{31}7", "Doppler": "dp.pt.[a-zA-Z0-9]{43}",
        "Doppler service": "dp.st.prd.[a-zA-Z0-9]{43}", "Duffel": "duffel_test_[a-z0-9_=-]{42}7",
        "Dynatrace": "dt0c01.[A-Z0-9]{24}.[A-Z0-9]{64}", "EasyPost": "EZAK[a-zA-Z0-9]{54}",
        "ElevenLabs": "sk_[a-f0-9]{48}",
        "Facebook": "EAAC[a-zA-Z0-9]{120}", "Figma": "figd_[A-Za-z0-9_-]{39}7",
        "Flutterwave": "FLWSECK_TEST-[a-h0-9]{32}-X",
        "Fly.io": "fo1_[A-Za-z0-9_-]{43}", "Fly.io macaroon": "fm2_[a-zA-Z0-9+/]{120}",
        "Frame.io": "fio-u-[a-zA-Z0-9_=-]{63}7",
        "GitHub": "ghp_[A-Za-z0-9]{36}", "GitHub OAuth": "gho_[A-Za-z0-9]{36}", "GitHub user": "ghu_[A-Za-z0-9]{36}",
        "GitHub server": "ghs_[A-Za-z0-9]{36}", "GitHub refresh": "ghr_[A-Za-z0-9]{76}",
        "GitHub fine-grained": "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}", "GitLab": "glpat-[A-Za-z0-9_-]{19}7",
        "GitLab deploy": "gldt-[A-Za-z0-9_-]{19}7", "GitLab runner": "glrt-[A-Za-z0-9_-]{19}7",
        "GitLab job": "glcbt-[0-9a-f]{2}_[A-Za-z0-9_-]{20}",
        "GitLab trigger": "glptt-[a-f0-9]{40}", "GitLab registration": "GR1348941[A-Za-z0-9_-]{19}7",
        "GitLab routable": "glpat-[A-Za-z0-9_-]{27}7.01.[a-z0-9]{9}", "GoCardless": "live_[a-zA-Z0-9_=-]{39}7",
        "Google": "AIza[A-Za-z0-9_-]{34}7", "Google client": "GOCSPX-[A-Za-z0-9_-]{27}7",
        "Google access": "ya29.[A-Za-z0-9_-]{120}7",
        "Grafana": "glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}", "Grafana Cloud": "glc_[A-Za-z0-9+/]{100}=",
        "Groq": "gsk_[A-Za-z0-9]{52}",
        "Harness": "pat.[A-Za-z0-9]{22}.[0-9a-f]{24}.[A-Za-z0-9]{20}", "Heroku": "HRKU-AA[A-Za-z0-9_-]{57}7",
        "HubSpot": "pat-na1-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "Hugging Face": "hf_[A-Za-z0-9]{34}",
        "Hugging Face organization": "api_org_[A-Za-z0-9]{34}", "Infracost": "ico-[a-zA-Z0-9]{32}",
        "42": "s-s4t2ud-[a-f0-9]{64}",
        "JSON Web Token": "eyJ[A-Za-z0-9]{33}.eyJ[A-Za-z0-9]{80}.[A-Za-z0-9_-]{43}", "Kaggle": "KGAT_[a-f0-9]{32}",
        "LangSmith": "lsv2_pt_[0-9a-f]{32}_[0-9a-f]{10}",
        "Langfuse": "sk-lf-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "LaunchDarkly": "sdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "Linear": "lin_api_[a-zA-Z0-9]{40}",
        "Mailchimp": "[a-f0-9]{32}-us12", "Mailgun": "key-[a-f0-9]{32}", "MailerSend": "mlsn.[a-f0-9]{64}",
        "Mapbox": "sk.eyJ[A-Za-z0-9]{80}.[A-Za-z0-9_-]{22}", "MaxMind": "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
        "New Relic": "NRAK-[A-Z0-9]{27}", "New Relic insert": "NRII-[a-zA-Z0-9-]{31}7",
        "New Relic browser": "NRJS-[a-f0-9]{19}",
        "Netlify": "nfp_[A-Za-z0-9]{36}", "Notion": "ntn_[0-9]{11}[A-Za-z0-9]{35}",
        "Notion old": "secret_[A-Za-z0-9]{43}",
        "npm": "npm_[A-Za-z0-9]{36}", "NuGet": "oy2[a-z0-9]{43}", "NVIDIA": "nvapi-[A-Za-z0-9_-]{63}7",
        "Octopus": "API-[A-Z0-9]{26}",
        "OpenAI": "sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
        "OpenAI project": "sk-proj-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{73}7",
        "OpenRouter": "sk-or-v1-[0-9a-f]{64}", "OpenShift": "sha256~[A-Za-z0-9_-]{42}7",
        "Perplexity": "pplx-[a-zA-Z0-9]{48}",
        "Pinecone": "pcsk_[A-Za-z0-9]{5}_[A-Za-z0-9]{63}",
        "Plaid": "access-sandbox-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "PlanetScale": "pscale_tkn_[A-Za-z0-9_.-]{42}7", "PlanetScale password": "pscale_pw_[A-Za-z0-9_.-]{42}7",
        "Postman": "PMAK-[a-f0-9]{24}-[a-f0-9]{34}", "PostHog": "phx_[A-Za-z0-9]{43}", "Prefect": "pnu_[a-zA-Z0-9]{36}",
        "Pulumi": "pul-[a-f0-9]{40}", "PyPI": "pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{90}7",
        "Razorpay": "rzp_live_[A-Za-z0-9]{14}",
        "ReadMe": "rdme_[a-z0-9]{70}", "Replicate": "r8_[A-Za-z0-9]{37}", "Resend": "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}",
        "RubyGems": "rubygems_[a-f0-9]{48}", "Scalingo": "tk-us-[A-Za-z0-9_-]{47}7",
        "SendGrid": "SG.[A-Za-z0-9_-]{22}.[A-Za-z0-9_-]{42}7",
        "Sentry": "sntryu_[a-f0-9]{64}", "Sentry organization": "sntrys_eyJ[a-zA-Z0-9+/]{150}_[a-zA-Z0-9+/]{43}",
        "Shippo": "shippo_live_[a-f0-9]{40}", "Shopify": "shpat_[a-fA-F0-9]{32}",
        "Shopify app": "shpss_[a-fA-F0-9]{32}",
        "Slack bot": "xoxb-[0-9]{12}-[0-9]{13}-[a-zA-Z0-9]{24}",
        "Slack user": "xoxp-[0-9]{12}-[0-9]{12}-[0-9]{12}-[a-f0-9]{32}",
        "Slack app": "xapp-1-A[A-Z0-9]{10}-[0-9]{13}-[a-f0-9]{64}",
        "Slack webhook": "https://hooks.slack.com/services/T[A-Z0-9]{8}/B[A-Z0-9]{10}/[A-Za-z0-9]{24}",
        "SonarQube": "squ_[a-f0-9]{40}", "Sourcegraph": "sgp_[a-f0-9]{40}", "Square": "sq0atp-[A-Za-z0-9_-]{21}7",
        "Square secret": "sq0csp-[A-Za-z0-9_-]{42}7", "Stripe": "sk_live_[A-Za-z0-9]{24}",
        "Stripe restricted": "rk_test_[A-Za-z0-9]{99}",
        "Stripe webhook": "whsec_[A-Za-z0-9]{32}", "Supabase": "sbp_[a-f0-9]{40}",
        "Tailscale": "tskey-auth-k[A-Za-z0-9]{10}CNTRL-[A-Za-z0-9]{32}",
        "Telegram": "[0-9]{10}:AA[A-Za-z0-9_-]{33}", "Terraform": "[A-Za-z0-9]{14}.atlasv1.[A-Za-z0-9_=-]{66}7",
        "Together": "tgp_v1_[A-Za-z0-9_-]{42}7", "Twilio": "SK[a-f0-9]{32}",
        "Typeform": "tfp_[A-Za-z0-9]{44}_[A-Za-z0-9]{14}",
        "Vault": "hvs.[A-Za-z0-9_-]{95}7", "Vault batch": "hvb.[A-Za-z0-9_-]{150}7", "xAI": "xai-[A-Za-z0-9]{80}",
        "Buildkite cluster": "bkct_[A-Za-z0-9_-]{72}7", "Doppler identity": "dp.said.[a-zA-Z0-9]{43}",
        "Fireworks": "fw_[A-Za-z0-9]{36}", "Honeycomb": "hcamk_[A-Za-z0-9]{58}",
        "LinkedIn": "WPL_AP1.[A-Za-z0-9]{15}/.[A-Za-z0-9]{5}7==",
        "Mercury": "secret-token:mercury_sandbox_wma_[A-Za-z0-9]{44}_yrucrem",
        "Netlify 2": "nfp_[A-Za-z0-9]{20}_[A-Za-z0-9]{15}",
        "Paddle": "pdl_live_apikey_[a-z0-9]{26}_[a-zA-Z0-9]{22}_[a-zA-Z0-9]{3}",
        "PagerDuty": "pdus+_0X[A-Z]{5}_[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        "Packagist": "packagist_out_[a-f0-9]{68}", "Polar": "polar_at_o_[A-Za-z0-9]{43}",
        "Rootly": "rootly_[a-f0-9]{64}",
        "PEM in Base64": "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk[A-Za-z0-9+/]{200}",
        "OpenSSH in Base64": "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZLS0tLS0K[A-Za-z0-9+/]{200}",
        "Yandex secret": "YCP[A-Za-z0-9_-]{36}7",
        "Xendit": "xnd_production_[A-Za-z0-9]{60}", "Yandex": "AQVN[A-Za-z0-9_-]{35}7",
    ]

    @Test(arguments: recipes.keys.sorted())
    func `finds a token by its format`(_ name: String) throws {
        let recipe = try #require(Self.recipes[name])
        let frames: [(String) -> String] = [
            { $0 }, { "found \($0) in a file" }, { "{\"x\": \"\($0)\"}" }, { "a\\n\($0)\\nb" }, { "(\($0))" },
        ]
        let tokens = frames.indices.map { RedactionSamples.value(recipe, seed: UInt64(name.utf8.count + $0 * 100)) }
        let lines = zip(frames, tokens).map { $0("\($1)") + "\r\n" }
        let results = try RedactionSamples.redacted(lines, columns: 400)
        for (index, result) in results.enumerated() {
            let secret = tokens[index].split(separator: "/").last.map(String.init) ?? tokens[index]
            #expect(!result.contains(secret.suffix(8)), "\(lines[index])")
            #expect(result.utf8.count == lines[index].utf8.count)
        }
    }

    @Test(arguments: recipes.keys.sorted().filter { recipes[$0]?.contains("_-]{") == true })
    func `finds a token without digits`(_ name: String) throws {
        let recipe = try #require(Self.recipes[name]).replacing("0-9_-]", with: "_-]").replacing("}7", with: "}x")
        let lines = (1...20 as ClosedRange<UInt64>).map { RedactionSamples.value(recipe, seed: $0) }
            .filter { $0.contains(#/[a-z][A-Z].*[a-z][A-Z]/#) && $0.contains(#/[A-Z][A-Z]/#) }.map { "\($0)\r\n" }
        let results = try RedactionSamples.redacted(lines, columns: 400)
        for (line, result) in zip(lines, results) { #expect(!result.contains(line.dropLast().suffix(8))) }
    }

    @Test(arguments: [
        "xAKIA[A-Z2-7]{16}", "akia[a-z2-7]{16}", "AKIA[A-Z2-7]{16}Q", "AKIA[A-Z2-7]{12}", "Ghp_[A-Za-z0-9]{36}",
        "ghp_[x]{36}",
        "task-[A-Za-z0-9]{30}", "npm_[A-Za-z0-9]{12}", "sk-loading-indicator-of-the-main-page", "hf_[A-Za-z0-9]{5}",
        "eyJ[A-Za-z0-9]{80}", "[a-f0-9]{40}", "[A-Za-z0-9+/]{76}", "sha256:[a-f0-9]{64}", "SK[a-f0-9]{31}",
        "live_update_of_the_table_in_the_view_that_is", "glpat-MyExampleTokenHere",
        "live_updateTableViewOfTheMainWindowNextToThe",
    ])
    func `keeps text that only resembles a token`(_ recipe: String) throws {
        let text = RedactionSamples.value(recipe, seed: 3)
        #expect(try RedactionSamples.redacted(["see \(text) there"], columns: 200) == ["see \(text) there"])
    }

    @Test func `leaves a Base64 image unchanged`() throws {
        let image = RedactionSamples.value("[A-Za-z0-9+/]{60000}", seed: 9)
        let output = [
            "\u{1B}_Ga=T,f=100;\(image.prefix(30_000))\u{1B}\\",
            "\u{1B}]1337;File=inline=1:\(image.suffix(30_000))\u{7}",
        ]
        #expect(try RedactionSamples.redacted(output) == output)
    }
}
