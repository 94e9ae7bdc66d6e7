//! Environment of child processes.

use std::{env, ffi::OsString};

use super::StdioSpec;

/// Variables that child processes inherit: those that programs need to run at all and to find their files. Any other
/// variable may be a secret that a server must not see (protocol: stdio, launch).
#[cfg(unix)]
const PASSED_ON: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "TERM",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
];

#[cfg(windows)]
const PASSED_ON: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "NUMBER_OF_PROCESSORS",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERDOMAIN",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// Returns the part of this process's environment that every child process gets.
#[must_use]
pub fn inherited_env() -> Vec<(OsString, OsString)> {
    select(env::vars_os())
}

fn select(all: impl Iterator<Item = (OsString, OsString)>) -> Vec<(OsString, OsString)> {
    all.filter(|(name, value)| {
        let Some(name) = name.to_str() else {
            return false;
        };
        // An exported shell function is code, not a setting.
        passes(name) && !value.as_encoded_bytes().starts_with(b"()")
    })
    .collect()
}

#[cfg(unix)]
fn passes(name: &str) -> bool {
    PASSED_ON.contains(&name) || name.starts_with("LC_")
}

#[cfg(windows)]
fn passes(name: &str) -> bool {
    PASSED_ON
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true if the system treats a variable of this name as the `PATH`.
#[must_use]
pub fn is_path(name: &str) -> bool {
    if cfg!(windows) {
        name.eq_ignore_ascii_case("PATH")
    } else {
        name == "PATH"
    }
}

/// Returns the search path for programs: the user's own `PATH` entry, then the spec's, then this process's.
#[must_use]
pub fn search_path(spec: &StdioSpec) -> OsString {
    spec.env
        .iter()
        .rev()
        .find(|(name, _)| is_path(name))
        .map(|(_, value)| value.into())
        .or_else(|| spec.path.clone())
        .or_else(|| env::var_os("PATH"))
        .unwrap_or_default()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_functions_stay_here() {
        let all = [
            ("HOME", "/home/a"),
            ("LC_TIME", "C"),
            ("AWS_SECRET_ACCESS_KEY", "secret"),
            ("PATHS", "x"),
            ("TERM", "() { :; }; touch /tmp/x"),
        ];
        let kept = select(all.iter().map(|(name, value)| (name.into(), value.into())));
        assert_eq!(
            kept,
            [
                ("HOME".into(), "/home/a".into()),
                ("LC_TIME".into(), "C".into())
            ]
        );
    }

    #[test]
    fn the_users_path_goes_first() {
        let mut spec = StdioSpec::new("x");
        assert_eq!(Some(search_path(&spec)), env::var_os("PATH"));
        spec.path = Some("/spec".into());
        assert_eq!(search_path(&spec), "/spec");
        spec.env = vec![("PATH".into(), "/user".into())];
        assert_eq!(search_path(&spec), "/user");
    }
}
