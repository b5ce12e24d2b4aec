import type pg from 'pg';
import { copyInto } from '../../reading/copy-rows.ts';
import type { RunOfRows } from '../../work/runs.ts';
import type { TextBlock } from './row-texts.ts';

/** Stores what new rows are searched by, like copyRows. */
export async function copyTexts(
  client: pg.ClientBase,
  of: RunOfRows,
  blocks: readonly TextBlock[],
): Promise<void> {
  await copyInto(client, of, {
    ...{ table: 'row_texts', columns: 'row_from, row_to, text', items: blocks },
    write(piece, { rowFrom, rowTo, text }) {
      piece.integer(rowFrom);
      piece.integer(rowTo);
      // Its form is ASCII.
      piece.bytes(Buffer.from(text, 'latin1'));
    },
  });
  await copyInto(client, of, {
    ...{ table: 'row_text_signs', columns: 'row_from, sign', items: blocks },
    write(piece, { rowFrom, sign }) {
      piece.integer(rowFrom);
      piece.bytes(sign);
    },
  });
}
