import type { Db } from '@draftshelf/database/connection/database';
import { readRowTexts } from '@draftshelf/database/review/search/row-search';
import type { RunOfRows } from '@draftshelf/database/work/runs';
import { rowSeparator, searchForm } from '@draftshelf/domain/base/search-text';

/** The forms of what the rows of a run are searched by, read from the rows themselves, in order. */
export async function textsOfRows(db: Db, of: RunOfRows): Promise<string[]> {
  const texts: string[] = [];
  for (let last = 0; ; ) {
    const read = await readRowTexts(db, of, { from: last, back: false }, 10_000);
    texts.push(...read.map(({ text }) => searchForm(text)));
    const end = read.at(-1);
    if (!end) return texts;
    last = end.row;
  }
}

/** All differences between the stored texts of a run and its rows, in words: each row has its text once. */
export async function textDifferences(db: Db, of: RunOfRows): Promise<string[]> {
  const blocks = await db
    .selectFrom('row_texts')
    .leftJoin('row_text_signs', (join) =>
      join
        .onRef('row_text_signs.import_id', '=', 'row_texts.import_id')
        .onRef('row_text_signs.run', '=', 'row_texts.run')
        .onRef('row_text_signs.row_from', '=', 'row_texts.row_from'),
    )
    .select(['row_texts.row_from', 'row_to', 'text', 'sign'])
    .where('row_texts.import_id', '=', of.import_id)
    .where('row_texts.run', '=', of.run)
    .orderBy('row_texts.row_from')
    .execute();
  const wrong: string[] = [];
  const stored: string[] = [];
  for (const { row_from, row_to, text, sign } of blocks) {
    if (row_from !== stored.length + 1) wrong.push(`block ${row_from} is behind row ${stored.length}`);
    stored.push(...text.split(rowSeparator));
    if (stored.length !== row_to) wrong.push(`block ${row_from} ends at ${stored.length}, not ${row_to}`);
    if (row_to - row_from >= 128) wrong.push(`block ${row_from} has ${row_to - row_from + 1} rows`);
    if (text.length > 7_900 && row_to > row_from) wrong.push(`block ${row_from} is ${text.length} long`);
    if (sign?.length !== 1024) wrong.push(`block ${row_from} has no signature`);
  }
  const texts = await textsOfRows(db, of);
  if (texts.length !== stored.length) wrong.push(`${stored.length} texts of ${texts.length} rows`);
  for (const [at, text] of texts.entries()) {
    if (stored[at] !== text)
      wrong.push(`row ${at + 1} has ${JSON.stringify(stored[at])}, not ${JSON.stringify(text)}`);
  }
  return wrong.slice(0, 10);
}
