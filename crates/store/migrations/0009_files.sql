-- Where the bytes are, when they are not in the row: the row then holds none.
ALTER TABLE blob ADD COLUMN place TEXT;
