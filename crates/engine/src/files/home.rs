//! What `--files` may say, and how a place is named in the database.

use std::fmt;
use std::path::PathBuf;

use super::HomeError;

/// Where new bytes go.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// Into the database, with the rows that name them.
    Database,
    /// Into a folder.
    Folder(PathBuf),
    /// Into a bucket of S3, or of what speaks like it.
    Bucket {
        /// The bucket.
        bucket: String,
        /// What every key begins with; may be empty.
        prefix: String,
    },
}

impl Home {
    /// Reads `db`, `file:DIR` or `s3://BUCKET/PREFIX`.
    pub fn parse(text: &str) -> Result<Home, HomeError> {
        if text == "db" {
            return Ok(Home::Database);
        }
        if let Some(folder) = text.strip_prefix("file:") {
            // In full, so that a row means the same wherever the server is started.
            let folder = std::path::absolute(folder);
            return folder.map(Home::Folder).map_err(|_| HomeError::NoFolder(text.to_owned()));
        }
        let Some(rest) = text.strip_prefix("s3://") else {
            return Err(HomeError::Unknown(text.to_owned()));
        };
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_bucket = (3..=63).contains(&bucket.len())
            && bucket.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_'));
        if !is_bucket {
            return Err(HomeError::Bucket(bucket.to_owned()));
        }
        let prefix = prefix.strip_suffix('/').unwrap_or(prefix);
        let is_part = |part: &str| {
            let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
            !part.trim_matches('.').is_empty() && part.bytes().all(is_plain)
        };
        if !prefix.is_empty() && !prefix.split('/').all(is_part) {
            return Err(HomeError::Prefix(prefix.to_owned()));
        }
        Ok(Home::Bucket { bucket: bucket.to_owned(), prefix: prefix.to_owned() })
    }
}

impl fmt::Display for Home {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Home::Database => to.write_str("db"),
            Home::Folder(folder) => write!(to, "file:{}", folder.display()),
            Home::Bucket { bucket, prefix } if prefix.is_empty() => write!(to, "s3://{bucket}"),
            Home::Bucket { bucket, prefix } => write!(to, "s3://{bucket}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_named_in_full_and_its_name_means_the_same_place() {
        for (given, named) in [
            ("db", "db"),
            ("file:/var/lib/waybill", "file:/var/lib/waybill"),
            ("file:///var/lib/waybill", "file:/var/lib/waybill"),
            ("s3://labels", "s3://labels"),
            ("s3://labels/", "s3://labels"),
            ("s3://labels/prod/eu-1/", "s3://labels/prod/eu-1"),
        ] {
            let home = Home::parse(given).unwrap();
            assert_eq!(home.to_string(), named);
            assert_eq!(Home::parse(named).unwrap(), home);
        }
        let relative = Home::parse("file:labels").unwrap().to_string();
        assert!(relative.starts_with("file:/") && relative.ends_with("/labels"), "{relative}");
    }

    #[test]
    fn what_names_no_place_is_refused_in_words() {
        for (given, words) in [
            ("", "none of db, file:DIR and s3://BUCKET/PREFIX"),
            ("DB", "none of db"),
            ("/var/lib/waybill", "none of db"),
            ("https://x.example", "none of db"),
            ("file:", "names no folder"),
            ("s3://", "not the name of a bucket"),
            ("s3://ab", "not the name of a bucket"),
            ("s3://Labels", "not the name of a bucket"),
            ("s3://labels/../other", "letters, digits"),
            ("s3://labels//x", "letters, digits"),
            ("s3://labels/a b", "letters, digits"),
        ] {
            let error = Home::parse(given).unwrap_err().to_string();
            assert!(error.contains(words), "{given}: {error}");
        }
    }
}
