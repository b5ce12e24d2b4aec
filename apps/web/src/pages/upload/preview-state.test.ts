import type { DialectChoice } from '@draftshelf/contract/dialect';
import { expect, test } from 'vitest';
import { createPreviewer, type Preview } from './preview.ts';
import { nextState, nothingRead, readAnew } from './preview-state.ts';

const text = 'Title;Price\nLamp;1\n';

/** What a worker that reads with `choice` makes of the text. */
function previewOf(choice: DialectChoice): Preview {
  const previewer = createPreviewer(choice);
  previewer.push(new TextEncoder().encode(text));
  const preview = previewer.end();
  if (preview === null) throw new Error('The text has a row');
  return preview;
}

const judgedDialect = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0 };

test('what is said is not taken for judged, and what was judged before still is', () => {
  const first = nextState(nothingRead, { kind: 'done', preview: previewOf({}) }, {});
  expect(first).toMatchObject({ complete: true, judged: judgedDialect });
  const choice = { delimiter: '|' } as const;
  const second = nextState(readAnew(first), { kind: 'done', preview: previewOf(choice) }, choice);
  expect(second.preview?.dialect.delimiter).toBe('|');
  expect(second.judged).toEqual(judgedDialect);
});

test('while a file is read anew the earlier preview stays, but does not count as read', () => {
  const read = nextState(nothingRead, { kind: 'done', preview: previewOf({}) }, {});
  const anew = nextState(readAnew(read), { kind: 'progress', readBytes: 5, preview: null }, {});
  expect(anew).toMatchObject({ complete: false, readBytes: 5, preview: read.preview });
});

test('a failure stays until the file reads, and what is known of its dialect with it', () => {
  const choice = { headerRecord: 9 };
  const { dialect } = previewOf({});
  const failed = nextState(
    nothingRead,
    { kind: 'tooFewRecords', dialect: { ...dialect, headerRecord: 9 } },
    choice,
  );
  const { headerRecord: _said, ...others } = judgedDialect;
  expect(failed.judged).toEqual(others);
  expect(failed.failure?.message).toContain('at least a header row and one data row');
  const anew = nextState(readAnew(failed), { kind: 'progress', readBytes: 5, preview: null }, {});
  expect(anew.failure).toBe(failed.failure);
  const mended = nextState(anew, { kind: 'progress', readBytes: 9, preview: previewOf({}) }, {});
  expect(mended).toMatchObject({ failure: null, judged: judgedDialect });
  const binary = { message: 'It is a binary file.', isBeyondDialects: false };
  const broken = nextState(mended, { kind: 'failed', failure: binary, dialect: null }, {});
  expect(broken).toMatchObject({ failure: binary, judged: judgedDialect });
});
