//! Environment variables that decide what runs, regardless of the command line.
//!
//! They are not secrets: the user has to see them before the command runs.

/// Effects, each with the names of variables that have it, in upper case and separated by spaces; a trailing `*`
/// matches any ending.
const GROUPS: &[(&str, &str)] = &[
    (
        "It decides which program files are found and run.",
        "PATH PATHEXT SYSTEMROOT WINDIR",
    ),
    (
        "The system loads code or settings from there into every program that starts.",
        "LD_* DYLD_* GLIBC_TUNABLES GCONV_PATH LOCPATH OPENSSL_CONF OPENSSL_ENGINES \
            OPENSSL_MODULES GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR QT_PLUGIN_PATH \
            GST_PLUGIN_* HOSTALIASES",
    ),
    (
        "Shells run it, or read scripts differently because of it.",
        "BASH_ENV BASH_FUNC_* BASH_LOADABLES_PATH BASHOPTS CDPATH COMSPEC ENV FPATH \
            GLOBIGNORE IFS POSIXLY_CORRECT PROMPT_COMMAND PS0 PS1 PS2 PS4 PSMODULEPATH SHELL \
            SHELLOPTS ZDOTDIR",
    ),
    (
        "JavaScript runtimes load code or take options from it.",
        "BUN_* DENO_* ELECTRON_RUN_AS_NODE NODE_COMPILE_CACHE NODE_OPTIONS NODE_PATH \
            NODE_REPL_EXTERNAL_MODULE TS_NODE_* TSX_* ESBUILD_BINARY_PATH \
            ELECTRON_OVERRIDE_DIST_PATH",
    ),
    (
        "Python loads code or takes options from it.",
        "PYTHON* PYENV_* VIRTUAL_ENV CONDA_* _PYTHON_* __PYVENV_LAUNCHER__ POETRY_*",
    ),
    (
        "Perl, Ruby, PHP, Lua, R, Julia or Erlang loads code or takes options from it.",
        "PERL5* PERLLIB RUBYLIB RUBYOPT GEM_* BUNDLE_* PHPRC PHP_INI_SCAN_DIR LUA_* \
            R_ENVIRON* R_HOME R_LIBS* R_PROFILE* JULIA_* ERL_* ELIXIR_* COMPOSER_* GUILE_* \
            PERL_* HEX_* MIX_* REBAR_*",
    ),
    (
        "Java loads code or takes options from it.",
        "_JAVA_OPTIONS CLASSPATH GRADLE_* JAVA_HOME JAVA_OPTS JAVA_TOOL_OPTIONS JBANG_* \
            JDK_JAVA_OPTIONS MAVEN_*",
    ),
    (
        ".NET loads code or takes options from it.",
        "ASPNETCORE_HOSTINGSTARTUPASSEMBLIES COMPLUS_* COR_ENABLE_PROFILING COR_PROFILER* \
            CORECLR_* DOTNET_* MSBUILD* NUGET_*",
    ),
    (
        "Git and SSH run programs and take settings from it.",
        "GIT_* SSH_ASKPASS* SUDO_ASKPASS",
    ),
    (
        "Package managers take it for a setting: where packages come from, and what runs them.",
        "COREPACK_* NPM_CONFIG_* NVM_* PIP_* PIPX_* PNPM_* UV_* VOLTA_* YARN_* ASDF_* FNM_* \
            MISE_* NODENV_* RBENV_* NPM_EXECPATH NPM_NODE_EXECPATH PREFIX PIPENV_* PDM_* HATCH_* \
            RYE_* NIX_* HOMEBREW_*",
    ),
    (
        "Compilers and builds run programs and take options from it.",
        "CARGO_* CC CXX CGO_* GOFLAGS GOPATH GOPROXY GOROOT GOSUMDB GOTOOLCHAIN GOCACHEPROG \
            GOAUTH GOENV GOINSECURE GONOSUMDB GOPRIVATE GOVCS MAKEFLAGS RUSTC* RUSTFLAGS \
            RUSTUP_*",
    ),
    (
        "Other programs run the program that it names.",
        "BROWSER EDITOR LESSCLOSE LESSOPEN MANPAGER PAGER VISUAL CHROME_PATH PLAYWRIGHT_* \
            PUPPETEER_* TAR_OPTIONS RSYNC_RSH RSYNC_CONNECT_PROG MANOPT FZF_DEFAULT_COMMAND \
            FZF_DEFAULT_OPTS PSQL_EDITOR PSQL_PAGER SVN_SSH CVS_RSH HGEDITOR HGMERGE",
    ),
    (
        "It decides where containers run, and by which settings.",
        "CONTAINER_HOST DOCKER_CONFIG DOCKER_CONTEXT DOCKER_HOST KUBECONFIG COMPOSE_FILE \
            CONTAINERS_CONF DOCKER_CLI_PLUGIN_EXTRA_DIRS",
    ),
    (
        "It decides where downloads go through, or who is trusted for them.",
        "ALL_PROXY CURL_CA_BUNDLE HTTP_PROXY HTTPS_PROXY NODE_EXTRA_CA_CERTS \
            NODE_TLS_REJECT_UNAUTHORIZED REQUESTS_CA_BUNDLE SSL_CERT_DIR SSL_CERT_FILE",
    ),
    (
        "Programs read their settings, and often code, from there.",
        "APPDATA HOME HOMEDRIVE HOMEPATH LOCALAPPDATA PROGRAMDATA USERPROFILE XDG_CONFIG_DIRS \
            XDG_CONFIG_HOME XDG_DATA_DIRS XDG_DATA_HOME AWS_CONFIG_FILE XDG_CACHE_HOME WGETRC \
            CURL_HOME NETRC PSQLRC PGSERVICEFILE PGSYSCONFDIR INPUTRC HGRCPATH VIMINIT EXINIT \
            AWS_SHARED_CREDENTIALS_FILE",
    ),
];

/// Name endings that many programs use for paths to run or to load.
const ENDINGS: [&str; 3] = ["_BINARY_PATH", "_EXECUTABLE_PATH", "_PLUGIN_PATH"];

/// Effect of a variable with one of these endings.
const OF_ENDING: &str = "By its name, a program takes what to run or to load from it.";

/// Common variables of a group that change nothing but the writing of text.
const HARMLESS: [&str; 6] = [
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONFAULTHANDLER",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
];

/// Endings of credentials, which the programs of a group with `*` take for nothing else.
const CREDENTIALS: [&str; 6] = ["TOKEN", "PASSWORD", "SECRET", "API_KEY", "APIKEY", "_AUTH"];

/// Returns the effect of a variable on what runs, in one sentence; `None` if it has none. Ignores case, as some systems
/// and programs do.
pub(super) fn effect(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_uppercase();
    if HARMLESS.contains(&&*name) {
        return None;
    }
    let credential = CREDENTIALS.iter().any(|ending| name.ends_with(ending));
    let is = |pattern: &str| match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning) && !credential,
        None => name == pattern,
    };
    GROUPS
        .iter()
        .find(|(_, names)| names.split_ascii_whitespace().any(is))
        .map(|(effect, _)| *effect)
        .or_else(|| {
            let told = ENDINGS.iter().any(|ending| name.ends_with(ending));
            told.then_some(OF_ENDING)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_decide_what_runs_are_known() {
        for name in [
            "PATH",
            "Path",
            "LD_PRELOAD",
            "DYLD_INSERT_LIBRARIES",
            "BASH_ENV",
            "BASH_FUNC_npx%%",
            "ENV",
            "NODE_OPTIONS",
            "PYTHONPATH",
            "PYTHONSTARTUP",
            "PERL5OPT",
            "RUBYOPT",
            "JAVA_TOOL_OPTIONS",
            "_JAVA_OPTIONS",
            "XDG_CACHE_HOME",
            "OTHER_TOOL_BINARY_PATH",
            "GIT_SSH_COMMAND",
            "GIT_CONFIG_KEY_0",
            "DOTNET_STARTUP_HOOKS",
            "npm_config_script_shell",
            "npm_config_@scope:registry",
            "https_proxy",
            "GOCACHEPROG",
            "GOAUTH",
            "PREFIX",
            "npm_execpath",
            "TAR_OPTIONS",
            "RSYNC_RSH",
            "WGETRC",
            "CURL_HOME",
            "PSQLRC",
            "PIPENV_PYPI_MIRROR",
            "PDM_PYPI_URL",
            "HEX_MIRROR",
            "PERL_MM_OPT",
            "NIX_PATH",
            "NIX_CONFIG",
        ] {
            assert!(effect(name).is_some(), "{name}");
        }
        for name in [
            "API_KEY",
            "GITHUB_TOKEN",
            "GIT_TOKEN",
            "NODE_AUTH_TOKEN",
            "NODE_ENV",
            "npm_config_//registry.npmjs.org/:_authToken",
            "UV_INDEX_X_PASSWORD",
            "HEX_API_KEY",
            "PDM_PUBLISH_PASSWORD",
            "PYTHONUNBUFFERED",
            "PATHS",
            "MY_LD_PRELOAD",
            "TOKEN",
        ] {
            assert_eq!(effect(name), None, "{name}");
        }
    }
}
