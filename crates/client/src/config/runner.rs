//! Programs that download or interpret what they run: which words of their command line decide what that is.
//!
//! An option that is not listed here may or may not take a value. Then every word that can be the program counts.

use std::ops::Range;

use super::Transport;

/// A program that runs something named in its arguments. Lists of words are separated by spaces.
struct Runner {
    names: &'static str,
    /// Words that come before the program, each once.
    subcommands: &'static str,
    downloads: Option<Download>,
    /// Options without a value.
    flags: &'static str,
    /// Options with a value that decides nothing.
    values: &'static str,
    /// Options whose value names a download.
    packages: &'static str,
    /// Options whose value decides the source of downloads, or loads further code.
    sources: &'static str,
    /// Options whose value is a script.
    scripts: &'static str,
    /// Short flags that can stand before the letter of a script, as in `bash -xc`.
    grouped: &'static str,
    /// Options that are in no list take a value.
    unknown_take_value: bool,
    /// The runner's own options may follow the program.
    options_anywhere: bool,
    /// Words after `packages` belong to the program.
    package_ends_options: bool,
}

/// Kind of package that a runner downloads, and the subcommands with which it does; none means always.
struct Download {
    noun: &'static str,
    with: &'static str,
}

/// A runner that downloads packages.
const fn package(noun: &'static str, with: &'static str) -> Option<Download> {
    Some(Download { noun, with })
}

const NONE: Runner = Runner {
    names: "",
    subcommands: "",
    downloads: None,
    flags: "",
    values: "",
    packages: "",
    sources: "",
    scripts: "",
    grouped: "",
    unknown_take_value: false,
    options_anywhere: false,
    package_ends_options: false,
};

const NPM_FLAGS: &str = "-y --yes -q --quiet -s --silent --no-install --ignore-existing --no --offline \
    --prefer-offline --prefer-online --ignore-scripts --verbose --bun --workspaces --no-audit \
    --no-fund --no-update-notifier";
const NPM_VALUES: &str = "--loglevel --workspace -w --filter";
const NPM_SOURCES: &str = "--registry --userconfig --globalconfig --prefix --cache --script-shell --shell \
    --node-options --node-arg -n --dir -C --cwd --config";
const PYTHON_VALUES: &str = "--color --prerelease --resolution --link-mode --exclude-newer --index-strategy \
    --keyring-provider --python-preference --refresh-package --upgrade-package -P \
    --reinstall-package --fork-strategy --group --extra --only-group --no-group --suffix";
const PYTHON_FLAGS: &str = "-q --quiet -v --verbose --isolated --offline --refresh --upgrade -U --no-cache -n \
    --no-config --no-index --native-tls --managed-python --no-managed-python --frozen --locked \
    --no-sync --no-project --no-dev --all-extras --no-progress --reinstall --pip-args-none \
    --no-env-file";
const PYTHON_SOURCES: &str = "--index --index-url -i --default-index --extra-index-url --find-links -f --with \
    --with-editable --with-requirements --python --config-file --directory --project --env-file \
    --overrides --constraints --cache-dir --pip-args --allow-insecure-host --preinstall \
    --torch-backend --build-constraints";

const RUNNERS: &[Runner] = &[
    Runner {
        names: "npx pnpx bunx",
        downloads: package("npm package", ""),
        flags: NPM_FLAGS,
        values: NPM_VALUES,
        packages: "--package -p",
        sources: NPM_SOURCES,
        scripts: "--call -c --shell-mode",
        ..NONE
    },
    Runner {
        names: "npm pnpm yarn",
        options_anywhere: true,
        subcommands: "exec x dlx run run-script start --",
        downloads: package("npm package", "exec x dlx"),
        flags: NPM_FLAGS,
        values: NPM_VALUES,
        packages: "--package -p",
        sources: NPM_SOURCES,
        scripts: "--call -c --shell-mode",
        ..NONE
    },
    Runner {
        names: "bun",
        subcommands: "x run",
        downloads: package("npm package", "x"),
        flags: "-y --bun --silent --watch --hot --smol -b -i --no-install",
        packages: "--package",
        sources: "--registry --preload --require -r --import --cwd --config -c --env-file",
        scripts: "--eval -e --print -p",
        ..NONE
    },
    Runner {
        names: "uvx",
        downloads: package("Python package", ""),
        flags: PYTHON_FLAGS,
        values: PYTHON_VALUES,
        packages: "--from",
        sources: PYTHON_SOURCES,
        ..NONE
    },
    Runner {
        names: "uv",
        subcommands: "tool run",
        downloads: package("Python package", "tool"),
        flags: PYTHON_FLAGS,
        values: PYTHON_VALUES,
        packages: "--from",
        sources: PYTHON_SOURCES,
        scripts: "--module -m",
        ..NONE
    },
    Runner {
        names: "pipx",
        subcommands: "run",
        downloads: package("Python package", ""),
        flags: PYTHON_FLAGS,
        values: PYTHON_VALUES,
        packages: "--spec",
        sources: PYTHON_SOURCES,
        ..NONE
    },
    Runner {
        names: "dnx",
        options_anywhere: true,
        downloads: package("NuGet package", ""),
        flags: "-y --yes --prerelease --interactive --allow-roll-forward",
        values: "--version --verbosity -v",
        sources: "--source --add-source --configfile",
        ..NONE
    },
    Runner {
        names: "dotnet",
        options_anywhere: true,
        subcommands: "tool exec execute run",
        downloads: package("NuGet package", "tool"),
        flags: "-y --yes --prerelease --no-build --no-restore --allow-roll-forward",
        values: "--version --verbosity -v --configuration -c --framework -f",
        sources: "--source --add-source --configfile --project --additional-deps \
            --additionalprobingpath",
        ..NONE
    },
    Runner {
        names: "node tsx ts-node",
        subcommands: "watch",
        flags: "--no-warnings --inspect --experimental-strip-types --enable-source-maps",
        sources: "--import --require -r --loader --experimental-loader --env-file --tsconfig \
            --experimental-config-file",
        scripts: "--eval -e --print -p -pe",
        ..NONE
    },
    Runner {
        names: "deno",
        subcommands: "run x",
        flags: "-A --allow-all -q --quiet --no-prompt --no-check",
        sources: "--import-map --config -c --preload --env-file --cert",
        scripts: "eval",
        ..NONE
    },
    Runner {
        names: "python py",
        package_ends_options: true,
        flags: "-u -I -s -S -E -B -O -OO -P -q -v",
        values: "-W -X",
        packages: "-m",
        scripts: "-c",
        grouped: "bBdEhiIOPqRsSuvVx",
        ..NONE
    },
    Runner {
        names: "perl",
        sources: "-I -M -m",
        scripts: "-e -E",
        grouped: "acfilnpsStTuUvwWX0",
        ..NONE
    },
    Runner {
        names: "ruby",
        sources: "-I -r",
        scripts: "-e",
        grouped: "aclnpsSvwW",
        ..NONE
    },
    Runner {
        names: "php",
        sources: "-d -c",
        scripts: "-r --run -B -R -E",
        ..NONE
    },
    Runner {
        names: "lua luajit julia elixir osascript rscript ghc groovy",
        scripts: "-e -E --eval --print",
        ..NONE
    },
    Runner {
        names: "java",
        package_ends_options: true,
        values: "-cp -classpath --class-path -p --module-path",
        packages: "-jar",
        sources: "-javaagent -agentpath -agentlib",
        ..NONE
    },
    Runner {
        names: "jbang",
        downloads: package("Java program", ""),
        flags: "-q --quiet --fresh --verbose",
        sources: "--deps --repos --javaagent --catalog",
        scripts: "--code -c",
        ..NONE
    },
    Runner {
        names: "go",
        subcommands: "run",
        values: "-tags -mod -ldflags -gcflags",
        sources: "-exec -overlay -toolexec -modfile -C",
        ..NONE
    },
    Runner {
        names: "cargo",
        subcommands: "run",
        flags: "-q --quiet --release --locked --offline --frozen",
        values: "--bin --features -p --package --target-dir",
        sources: "--manifest-path --config -C",
        ..NONE
    },
    Runner {
        names: "docker podman nerdctl",
        subcommands: "container run",
        downloads: package("image", "run"),
        flags: "-i -t -d -it -ti -dit -q -P --rm --init --privileged --interactive --tty --detach \
            --read-only --quiet --publish-all --no-healthcheck --sig-proxy --oom-kill-disable \
            --tls --tlsverify",
        sources: "--entrypoint --host -H --context --config --connection --url --remote",
        unknown_take_value: true,
        ..NONE
    },
    Runner {
        names: "sh bash zsh dash ksh ash fish",
        values: "-o +o -O +O",
        sources: "--rcfile --init-file --init-command -C",
        scripts: "-c --command",
        grouped: "abefhiklmnpqrstuvxBCEHPT",
        ..NONE
    },
    Runner {
        names: "cmd",
        scripts: "/c /k /r",
        ..NONE
    },
    Runner {
        names: "powershell pwsh",
        package_ends_options: true,
        flags: "-noprofile -nop -noninteractive -noni -nologo -nol -noexit -sta -mta -login -l",
        values: "-executionpolicy -ep -ex -exec -windowstyle -w -version -v -workingdirectory -wd \
            -inputformat -outputformat",
        packages: "-file -f",
        sources: "-configurationfile -configurationname -custompipename -settingsfile",
        scripts: "-command -c -encodedcommand -e -ec -enc -commandwithargs -cwa",
        ..NONE
    },
];

/// Programs that run another program, which can be any of their arguments.
const WRAPPERS: &str = "cmd env sudo doas pkexec runas nice ionice nohup time timeout stdbuf setsid exec command \
    xvfb-run winpty wsl mise volta fnm nvm asdf corepack op doppler infisical dotenvx direnv \
    start";

/// Parts of a command line that decide what runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The noun of what is downloaded.
    pub downloads: Option<&'static str>,
    /// Index of each word that may be the program.
    programs: Vec<usize>,
    /// Options that name a download, each with that name.
    packages: Vec<(Range<usize>, String)>,
    /// Options that decide the source of downloads, or load further code.
    sources: Vec<Range<usize>>,
    /// Name of the program that a script is passed to, and the words of the script.
    script: Option<(String, Range<usize>)>,
}

impl Run {
    /// Index of every word that must be seen before the command may run.
    pub fn deciding(&self) -> impl Iterator<Item = usize> {
        let ranges = self.sources.iter().cloned();
        ranges
            .chain(self.packages.iter().map(|(range, _)| range.clone()))
            .chain(self.script.iter().map(|(_, range)| range.clone()))
            .flatten()
            .chain(self.programs.iter().copied())
    }

    /// Names of what is run or downloaded. More than one: each of several, or one of them that is not known.
    pub fn packages<'a>(&'a self, args: &'a [String]) -> Vec<&'a str> {
        if !self.packages.is_empty() {
            return self.packages.iter().map(|(_, name)| &**name).collect();
        }
        let word = |at: &usize| args.get(*at).map(String::as_str);
        self.programs.iter().filter_map(word).collect()
    }

    /// Name of the program that a script is passed to.
    pub fn script(&self) -> Option<&str> {
        self.script.as_ref().map(|(program, _)| &**program)
    }

    /// Options that decide what is run and where it comes from, as they are written.
    pub fn options(&self, args: &[String]) -> Vec<String> {
        let packages = self.packages.iter().map(|(range, _)| range);
        let mut ranges: Vec<_> = packages.chain(&self.sources).collect();
        ranges.sort_by_key(|range| range.start);
        let words = |range: &Range<usize>| args[range.start..range.end.min(args.len())].join(" ");
        ranges.into_iter().map(words).collect()
    }
}

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_ascii_whitespace()
}

fn has_word(list: &'static str, word: &str) -> bool {
    words(list).any(|one| one == word)
}

/// The name of a program without its folder and ending.
pub fn stem(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    let name = name.to_ascii_lowercase();
    for ending in [".exe", ".cmd", ".bat", ".ps1"] {
        if let Some(stem) = name.strip_suffix(ending) {
            return stem.to_owned();
        }
    }
    name
}

fn runner(program: &str) -> Option<&'static Runner> {
    let name = stem(program);
    // `python3.12`, `lua5.4`
    let plain = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    RUNNERS
        .iter()
        .find(|one| has_word(one.names, &name) || has_word(one.names, plain))
}

/// Parses a command line; `None` for a program that is not known to run others.
pub fn read(command: &str, args: &[String]) -> Option<Run> {
    if has_word(WRAPPERS, &stem(command)) {
        let inner = args
            .iter()
            .position(|arg| !arg.starts_with('-') && runner(arg).is_some());
        if let Some(at) = inner {
            return Some(walk(runner(&args[at])?, &args[at], args, at + 1));
        }
        if runner(command).is_none() {
            return Some(walk(&NONE, command, args, 0));
        }
    }
    Some(walk(runner(command)?, command, args, 0))
}

/// True if starting the server may first download it.
pub fn may_download(transport: &Transport) -> bool {
    match transport {
        Transport::Stdio { command, args, .. } => {
            read(command, args).is_some_and(|run| run.downloads.is_some())
        }
        Transport::Http { .. } | Transport::Demo { .. } => false,
    }
}

fn walk(runner: &Runner, command: &str, args: &[String], start: usize) -> Run {
    let mut run = Run::default();
    let mut subcommands: Vec<&str> = Vec::new();
    let mut found = false;
    let mut at = start;
    while let Some(arg) = args.get(at) {
        if runner.script_in(arg) {
            run.script = Some((stem(command), at..args.len()));
            break;
        }
        let is_option = arg.len() > 1 && arg.starts_with(['-', '+'])
            || (has_word(runner.names, "cmd") && arg.starts_with('/'));
        if arg == "--" {
            run.programs
                .extend((!found && at + 1 < args.len()).then_some(at + 1));
            break;
        }
        if !is_option {
            let known = words(runner.subcommands).find(|one| one == arg);
            match known.filter(|one| !subcommands.contains(one)) {
                Some(subcommand) => subcommands.push(subcommand),
                // A variable for the program of a wrapper.
                None if runner.names.is_empty() && arg.contains('=') => {}
                None if found => {}
                None => {
                    run.programs.push(at);
                    if !runner.options_anywhere {
                        break;
                    }
                    found = true;
                }
            }
            at += 1;
            continue;
        }
        let (name, inline) = runner.option(arg);
        let end = if inline.is_some() { at + 1 } else { at + 2 };
        let value = inline
            .map(str::to_owned)
            .or_else(|| args.get(at + 1).cloned());
        if runner.has(runner.packages, name) {
            run.packages.push((at..end, value.unwrap_or_default()));
            at = end;
            if runner.package_ends_options {
                break;
            }
        } else if runner.has(runner.sources, name) {
            run.sources.push(at..end);
            at = end;
        } else if inline.is_some() || Runner::is_in(runner.flags, name) {
            at += 1;
        } else if Runner::is_in(runner.values, name) || runner.unknown_take_value {
            at += 2;
        } else {
            at += 1;
            // The word may be the value of the option, or the program.
            if !found
                && args.get(at).is_some_and(|next| {
                    !next.starts_with('-') && !has_word(runner.subcommands, next)
                })
            {
                run.programs.push(at);
                at += 1;
            }
        }
    }
    run.downloads = runner.downloads.as_ref().and_then(|download| {
        let does =
            download.with.is_empty() || words(download.with).any(|one| subcommands.contains(&one));
        does.then_some(download.noun)
    });
    run
}

impl Runner {
    fn is_in(list: &'static str, name: &str) -> bool {
        words(list).any(|one| one.eq_ignore_ascii_case(name) && (one.len() > 2 || one == name))
    }

    /// `name` is one of the options, or an abbreviation of a long one: npm and pipx take those.
    fn has(&self, list: &'static str, name: &str) -> bool {
        if Self::is_in(list, name) {
            return true;
        }
        if Self::is_in(self.flags, name) || Self::is_in(self.values, name) {
            return false;
        }
        let letters = name.trim_start_matches('-');
        letters.len() > 2
            && words(list).any(|one| {
                let long = one.trim_start_matches('-');
                long.len() > 2 && long.starts_with(letters)
            })
    }

    /// Splits an option into its name and the value that is attached to it.
    fn option<'a>(&self, arg: &'a str) -> (&'a str, Option<&'a str>) {
        // `--@scope:registry` says where packages of a scope come from.
        if arg.starts_with("--@") {
            return ("--registry", arg.split_once('=').map(|(_, value)| value));
        }
        // `-ihttps://…`
        let is_attached = |one: &str| {
            one.len() == 2 && arg.len() > 2 && arg.starts_with(one) && arg.is_char_boundary(2)
        };
        let deciding = || words(self.sources).chain(words(self.packages));
        if !arg.starts_with("--")
            && !has_word(self.names, "powershell")
            && !Self::is_in(self.flags, arg)
            && deciding().any(is_attached)
        {
            return (&arg[..2], Some(arg[2..].trim_start_matches('=')));
        }
        match (arg.split_once('='), arg.split_once(':')) {
            (Some((name, value)), _) => (name, Some(value)),
            // `-javaagent:…`
            (None, Some((name, value))) if deciding().any(|one| one == name) => (name, Some(value)),
            _ => (arg, None),
        }
    }

    /// The next word is a script, or this word contains it.
    fn script_in(&self, arg: &str) -> bool {
        let name = arg.split_once('=').map_or(arg, |(name, _)| name);
        if has_word(self.names, "powershell") {
            let lower = name
                .to_ascii_lowercase()
                .replace("--", "-")
                .replace('/', "-");
            return has_word(self.scripts, &lower)
                || (lower.len() > 3 && words(self.scripts).any(|one| one.starts_with(&lower)));
        }
        if has_word(self.names, "cmd") {
            let lower = name.to_ascii_lowercase();
            return words(self.scripts).any(|one| lower.contains(one));
        }
        if has_word(self.scripts, name)
            || (name.starts_with("--") && name.len() > 4 && self.has(self.scripts, name))
        {
            return true;
        }
        let Some(letters) = arg.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            return false;
        };
        let shorts = words(self.scripts).filter(|one| one.len() == 2);
        shorts.filter_map(|one| one.chars().nth(1)).any(|letter| {
            letters
                .split_once(letter)
                .is_some_and(|(before, _)| before.chars().all(|c| self.grouped.contains(c)))
                && (!self.grouped.is_empty())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn run(line: &str) -> (Run, Vec<String>) {
        let words = split(line);
        (read(&words[0], &words[1..]).unwrap(), words[1..].to_vec())
    }

    #[test]
    fn a_server_that_may_be_downloaded_is_known() {
        let stdio = |line: &str| {
            let mut words = line.split(' ').map(str::to_owned);
            Transport::Stdio {
                command: words.next().unwrap(),
                args: words.collect(),
                env: Vec::new(),
                cwd: None,
            }
        };
        for line in ["npx -y a", "uvx a", "docker run -i a"] {
            assert!(may_download(&stdio(line)), "{line}");
        }
        for line in ["node a.mjs", "python -m a", "a"] {
            assert!(!may_download(&stdio(line)), "{line}");
        }
    }

    #[test]
    fn packages_are_found_behind_options() {
        for (line, packages) in [
            ("npx -y server", &["server"][..]),
            ("npx --loglevel silent server", &["server"]),
            ("npx --unknown a b", &["a", "b"]),
            ("npx --loglevel X --package=evil x", &["evil"]),
            ("npx -p evil -p other x", &["evil", "other"]),
            ("npx --pack evil x", &["evil"]),
            ("npx -y -- server --x", &["server"]),
            ("bunx --token evil-mcp-server", &["evil-mcp-server"]),
            ("npm exec -y -- server", &["server"]),
            ("pnpm dlx server run", &["server"]),
            ("bun x server", &["server"]),
            (
                "uvx --from git+https://evil.example/x x",
                &["git+https://evil.example/x"],
            ),
            ("uvx --index-url https://evil.example server", &["server"]),
            ("uv tool run server", &["server"]),
            ("pipx run --spec evil server", &["evil"]),
            ("dnx Server --yes", &["Server"]),
            ("docker run -i --rm -e KEY -v /a:/b image", &["image"]),
            ("docker run -it --name a image cmd", &["image"]),
            ("cmd /c npx -y server", &["server"]),
            ("sudo -u ada npx -y server", &["server"]),
            ("env A=1 npx -y server", &["server"]),
            ("env A=1 server", &["server"]),
            ("C:\\x\\npx.cmd -y server", &["server"]),
            ("python3.12 -m server", &["server"]),
            ("node --import ./x.js server.js", &["server.js"]),
        ] {
            let (run, args) = run(line);
            assert_eq!(run.packages(&args), packages, "{line}");
        }
        assert_eq!(read("server", &split("npx a")), None);
    }

    #[test]
    fn options_that_decide_what_runs_are_named() {
        for (line, options) in [
            (
                "npx --registry=https://e/ a",
                &["--registry=https://e/"][..],
            ),
            ("npx --registry https://e/ a", &["--registry https://e/"]),
            ("npx --regis https://e/ a", &["--regis https://e/"]),
            (
                "npx --@a:registry=https://e/ a",
                &["--@a:registry=https://e/"],
            ),
            ("npx -p e a", &["-p e"]),
            ("bunx --registry https://e/ a", &["--registry https://e/"]),
            ("uvx --index-url https://e/ a", &["--index-url https://e/"]),
            ("uvx -ihttps://e/ a", &["-ihttps://e/"]),
            (
                "uvx --default-index https://e/ a",
                &["--default-index https://e/"],
            ),
            (
                "uvx --extra-index-url https://e/ --from git+https://e/ a",
                &["--extra-index-url https://e/", "--from git+https://e/"],
            ),
            (
                "pipx run --index-url https://e/ a",
                &["--index-url https://e/"],
            ),
            ("dnx a --source https://e/", &["--source https://e/"]),
            (
                "npm exec a --registry https://e/",
                &["--registry https://e/"],
            ),
            ("npm exec a -- --registry https://e/", &[]),
            ("dnx --source https://e/ a", &["--source https://e/"]),
            ("npx -y a --registry https://e/", &[]),
            (
                "java -javaagent:/x.jar -jar a.jar",
                &["-javaagent:/x.jar", "-jar a.jar"],
            ),
            ("perl -MEvil a.pl", &["-MEvil"]),
        ] {
            let (run, args) = run(line);
            assert_eq!(run.options(&args), options, "{line}");
        }
    }

    #[test]
    fn scripts_are_seen() {
        for line in [
            "bash -c x",
            "bash -xc x",
            "sh -lc x",
            "bash -o pipefail -ec x",
            "zsh -ic x",
            "fish --command=x",
            "node -e x",
            "node --eval=x",
            "node -pe x",
            "node -p x",
            "python -c x",
            "python3 -Ic x",
            "python3 -cimport",
            "deno eval x",
            "bun -e x",
            "perl -we x",
            "ruby -ne x",
            "php -r x",
            "cmd /c dir",
            "cmd /d/s/c dir",
            "powershell -NoProfile -Command x",
            "pwsh -enc x",
            "powershell -EncodedCommand x",
            "npx -c x",
            "npx --call=x",
            "sudo bash -c x",
            "env A=1 python3 -c x",
        ] {
            assert!(run(line).0.script().is_some(), "{line}");
        }
        for line in [
            "bash script.sh -c x",
            "node server.js -e x",
            "python server.py -c x",
            "npx -y a -c x",
            "deno run x.ts eval",
            "cmd /c npx -y a",
            "powershell -File x.ps1 -c",
            "docker run -e A=1 a",
        ] {
            assert_eq!(run(line).0.script(), None, "{line}");
        }
    }
}
