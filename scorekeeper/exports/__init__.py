"""Files to download: sessions and seasons as tables, workbooks, PDFs, pictures and texts."""
