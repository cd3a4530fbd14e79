-- SQLite takes a team for ten rows unless it is told otherwise, and then it reads a whole team to
-- save itself a sort. This tells it, for every index: a million rows, a hundred thousand of each
-- team, ten of anything else, and one where the index is unique. An index of some rows has fewer of
-- them than one of all.
ANALYZE schema_migration;
DELETE FROM sqlite_stat1;
INSERT INTO sqlite_stat1 (tbl, idx, stat)
SELECT tables.name, list.name, iif(list.partial, '10000', '1000000') || (
         SELECT group_concat(
                  CASE WHEN list."unique" AND info.cid = last.cid THEN ' 1'
                       WHEN info.name = 'team' AND list.partial THEN ' 1000'
                       WHEN info.name = 'team' THEN ' 100000'
                       WHEN list.partial THEN ' 5' ELSE ' 10' END,
                  '' ORDER BY info.seqno)
           FROM pragma_index_info(list.name) AS info,
                (SELECT cid FROM pragma_index_info(list.name) ORDER BY seqno DESC LIMIT 1) AS last)
  FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS list
 WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%';
ANALYZE sqlite_schema;
