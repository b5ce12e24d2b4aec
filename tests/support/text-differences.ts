import type { Db } from '@draftshelf/core/connection/database';
import { readRowPage } from '@draftshelf/core/review/effective-rows';
import type { RunOfRows } from '@draftshelf/core/work/runs';
import { searchText } from '@draftshelf/domain/base/search-text';

/** The first differences, in words, between what rows of a run are searched by and their effective values. */
export async function textDifferences(db: Db, of: RunOfRows): Promise<string[]> {
  const wrong: string[] = [];
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: Awaited<ReturnType<typeof readRowPage>> = await readRowPage(db, of, { after, limit: 10_000 });
    for (const { row, ignored, search, values, gtin } of rows) {
      const text = ignored === null ? searchText(values, gtin) : null;
      if (search !== text)
        wrong.push(`row ${row} has ${JSON.stringify(search)}, not ${JSON.stringify(text)}`);
    }
    after = rows.at(-1)?.row;
  }
  return wrong.slice(0, 10);
}
