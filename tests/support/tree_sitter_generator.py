"""What makes a parser of a tree-sitter grammar, built from the source package of Debian.

`python -m tests.support.tree_sitter_generator` downloads and builds it once, in some minutes. It needs Debian, and what
`PACKAGES` says. Where a newer `tree-sitter` is on the search path, that one is used and nothing need be built.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import platformdirs

PACKAGES = (
    "cargo", "librust-aho-corasick-dev", "librust-anyhow-dev", "librust-indexmap-dev", "librust-lazy-static-dev",
    "librust-log-dev", "librust-regex-dev", "librust-rustc-hash-dev", "librust-semver-dev", "librust-serde-derive-dev",
    "librust-serde-dev", "librust-serde-json+preserve-order-dev", "librust-smallbitvec-dev", "rustc",
)  # fmt: skip
CRATES = Path("/usr/share/cargo/registry")
SOURCES = """\
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""
MANIFEST = """\
[package]
name = "generator"
version = "0.20.7"
edition = "2018"
[dependencies]
anyhow = "1"
indexmap = "1"
lazy_static = "1"
log = { version = "0.4", features = ["std"] }
regex = "1"
regex-syntax = "0.6"
rustc-hash = "1"
semver = "1"
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["preserve_order"] }
smallbitvec = "2.5"
"""
MAIN = """\
#![allow(warnings)]
mod tree_sitter {
    pub const PARSER_HEADER: &str = include_str!("parser.h");
    pub const LANGUAGE_VERSION: usize = 14;
}
mod generate;
fn main() {
    let folder = std::env::current_dir().unwrap();
    let grammar = std::env::args().nth(2).unwrap();
    if let Err(fault) = generate::generate_parser_in_directory(&folder, Some(&grammar), 14, false, None) {
        eprintln!("{:?}", fault);
        std::process::exit(1);
    }
}
"""


def built() -> Path:
    """Where the generator is once it is built."""
    return Path(os.environ.get("REGELWERK_CACHE") or platformdirs.user_cache_dir("regelwerk")) / "tree-sitter"


def generator() -> str | None:
    """The command that generates parsers, called as `COMMAND generate GRAMMAR`; None if there is none."""
    return shutil.which("tree-sitter") or (str(built()) if built().exists() else None)


def build() -> None:
    """Build the generator: of the source of `tree-sitter`, only what makes parsers."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        sources, lists = folder / "sources.sources", folder / "lists"
        sources.write_text(SOURCES, "utf-8")
        (lists / "partial").mkdir(parents=True)
        settings = (f"Etc::sourcelist={sources}", "Etc::sourceparts=-", f"State::lists={lists}")
        apt = ["apt-get", "-qq", *(flag for setting in settings for flag in ("-o", f"Dir::{setting}"))]
        for words in (["update"], ["source", "--download-only", "tree-sitter"]):
            subprocess.run([*apt, *words], cwd=folder, check=True)
        subprocess.run(["tar", "xf", next(folder.glob("*.orig.tar.*"))], cwd=folder, check=True)
        (source,) = folder.glob("tree-sitter-*/")
        shutil.copytree(source / "cli" / "src" / "generate", folder / "src" / "generate")
        shutil.copy(source / "lib" / "include" / "tree_sitter" / "parser.h", folder / "src")
        for path in (folder / "src" / "generate").rglob("*.rs"):
            text = path.read_text("utf-8").replace("tree_sitter::", "crate::tree_sitter::")
            path.write_text(text.replace('env!("RUST_BINDING_VERSION")', '"0.20"'), "utf-8")
        (folder / "src" / "main.rs").write_text(MAIN, "utf-8")
        (folder / "Cargo.toml").write_text(MANIFEST, "utf-8")
        config = ['source.crates-io.replace-with="debian"', f'source.debian.directory="{CRATES}"']
        flags = [flag for setting in config for flag in ("--config", setting)]
        subprocess.run(["cargo", *flags, "build", "--release", "--offline", "-q"], cwd=folder, check=True)
        built().parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "target" / "release" / "generator", built())


if __name__ == "__main__":
    if not CRATES.exists():
        sys.exit(f"apt-get install --no-install-recommends {' '.join(PACKAGES)}")
    build()
    print(built())
