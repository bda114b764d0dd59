//! Generates `shinpan::v1` from the protocol buffer files of the API, without protoc.

use std::error::Error;
use std::fs;

use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver, IncludeFileResolver};

const PACKAGE: &str = "shinpan/v1";

fn main() -> Result<(), Box<dyn Error>> {
    let mut resolver = ChainFileResolver::new();
    resolver.add(IncludeFileResolver::new("proto".into()));
    resolver.add(StatusFile);
    resolver.add(GoogleFileResolver::new());
    let mut names = fs::read_dir(format!("proto/{PACKAGE}"))?
        .map(|entry| Ok(format!("{PACKAGE}/{}", entry?.file_name().to_string_lossy())))
        .collect::<Result<Vec<_>, std::io::Error>>()?;
    names.sort();
    let files = Compiler::with_file_resolver(resolver)
        .include_source_info(true)
        .include_imports(true)
        .open_files(&names)?
        .file_descriptor_set();
    println!("cargo::rerun-if-changed=proto/{PACKAGE}");
    tonic_prost_build::configure()
        .build_server(false)
        .build_transport(false)
        .extern_path(".google.rpc.Status", "::tonic_types::Status")
        .skip_debug([".shinpan.v1.State", ".shinpan.v1.Knowledge"])
        .compile_fds(files)?;
    Ok(())
}

/// Tells the compiler what `google.rpc.Status` looks like; the crate `tonic-types` has the type itself.
struct StatusFile;

impl FileResolver for StatusFile {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        if name != "google/rpc/status.proto" {
            return Err(protox::Error::file_not_found(name));
        }
        File::from_source(
            name,
            r#"syntax = "proto3";
            package google.rpc;
            import "google/protobuf/any.proto";
            message Status { int32 code = 1; string message = 2; repeated google.protobuf.Any details = 3; }"#,
        )
    }
}
