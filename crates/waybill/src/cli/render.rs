//! `waybill render FILE`: draws any paper from a JSON file, and shows ZPL as a picture, here and
//! not on somebody else's web site.

mod error;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Arg, ArgMatches, Command};
use waybill_domain::document::Format;
use waybill_domain::fields::read_object;
use waybill_paper::{AnyPaper, Dpi, Layout, Renderer};

use super::error::Outcome;
use super::file_error::FileError;
use error::PaperError;
pub use error::RenderError;

/// `waybill render`.
pub fn command() -> Command {
    let option = |name: &'static str, value: &'static str, help: &'static str| {
        Arg::new(name).long(name).value_name(value).help(help)
    };
    Command::new("render")
        .about("Draws a paper from a JSON file, or shows a ZPL file as a picture")
        .arg(Arg::new("file").required(true).value_name("FILE").help("A .json or .zpl file"))
        .arg(option("format", "FORMAT", "pdf, zpl or png [default: pdf; png of ZPL]"))
        .arg(option("dpi", "DPI", "203 or 300 [default: 203]"))
        .arg(option("output", "FILE", "Where to [default: beside the file]"))
}

/// Runs `waybill render`.
pub fn run(matches: &ArgMatches) -> Outcome {
    let text = |name: &str| matches.get_one::<String>(name).cloned();
    let file = PathBuf::from(text("file").unwrap_or_default());
    let bytes = std::fs::read(&file).map_err(FileError::of(&file))?;
    let dpi = match text("dpi") {
        None => Dpi::Dpi203,
        Some(dpi) => dpi.parse().ok().and_then(Dpi::parse).ok_or(RenderError::Dpi)?,
    };
    let output = text("output").map(PathBuf::from);
    let explain = |source| RenderError::Paper { path: file.clone(), source };
    let renderer = Renderer::new();
    let is_zpl = file.extension().is_some_and(|extension| extension == "zpl");
    let drawn = if is_zpl {
        if text("format").is_some_and(|format| format != "png") {
            return Err(RenderError::FormatOfZpl.into());
        }
        preview(&renderer, &bytes, dpi).map_err(explain)?
    } else {
        let format = text("format").unwrap_or_else(|| "pdf".to_owned());
        let format = Format::parse(&format).filter(|format| *format != Format::Xlsx);
        let format = format.ok_or(RenderError::Format)?;
        vec![draw(&renderer, &bytes, format, dpi).map_err(explain)?]
    };
    let count = drawn.len();
    for (index, (bytes, extension)) in drawn.into_iter().enumerate() {
        let path = output.clone().unwrap_or_else(|| file.with_extension(extension));
        let path = if count == 1 { path } else { numbered(&path, index + 1) };
        std::fs::write(&path, bytes).map_err(FileError::of(&path))?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}

type Drawn = (Vec<u8>, &'static str);

fn draw(renderer: &Renderer, json: &[u8], format: Format, dpi: Dpi) -> Result<Drawn, PaperError> {
    let json = read_object(json).map_err(|_| PaperError::NotJson)?;
    let paper = AnyPaper::from_json(&json).map_err(PaperError::Fields)?;
    let document = paper.layout(renderer).map_err(PaperError::Fields)?;
    let drawn = renderer.render(&document, format, dpi);
    let drawn = drawn.map_err(PaperError::Drawing)?;
    Ok((drawn.bytes, format.name()))
}

fn preview(renderer: &Renderer, zpl: &[u8], dpi: Dpi) -> Result<Vec<Drawn>, PaperError> {
    let pictures = renderer.preview(zpl, dpi);
    let pictures = pictures.map_err(PaperError::Drawing)?;
    Ok(pictures.into_iter().map(|picture| (picture, "png")).collect())
}

fn numbered(path: &Path, number: usize) -> PathBuf {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let extension = path.extension().map(|end| format!(".{}", end.to_string_lossy()));
    let name = format!("{}-{number}{}", stem.unwrap_or_default(), extension.unwrap_or_default());
    path.with_file_name(name)
}
