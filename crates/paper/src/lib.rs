//! Labels and papers: one layout drawn as PDF, ZPL and PNG. The engine arrives with documents.
