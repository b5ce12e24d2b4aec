import type { DialectChoice } from '@draftshelf/contract/reading/dialect';
import { expect, test } from 'vitest';
import { createPreviewer, type Preview } from './preview.ts';
import { beginReread, initialPreviewState, reducePreview } from './preview-state.ts';

const text = 'Title;Price\nLamp;1\n';

/** The preview of the text, read with `choice`. */
function previewOf(choice: DialectChoice): Preview {
  const previewer = createPreviewer({ dialect: choice });
  previewer.push(new TextEncoder().encode(text));
  const preview = previewer.end();
  if (preview === null) throw new Error('The text has a row');
  return preview;
}

const detectedDialect = { encoding: 'utf-8', delimiter: ';', quote: '"', headerRecord: 0 };

test('an override is not taken for detected, and keeps what was detected before', () => {
  const first = reducePreview(
    initialPreviewState,
    { kind: 'done', preview: previewOf({}), sha256: 'abc' },
    {},
  );
  expect(first).toMatchObject({ complete: true, detected: detectedDialect });
  const choice = { delimiter: '|' } as const;
  const second = reducePreview(
    beginReread(first),
    { kind: 'done', preview: previewOf(choice), sha256: 'abc' },
    choice,
  );
  expect(second.preview?.dialect.delimiter).toBe('|');
  expect(second.detected).toEqual(detectedDialect);
});

test('during a re-read the old preview stays but is not complete', () => {
  const read = reducePreview(
    initialPreviewState,
    { kind: 'done', preview: previewOf({}), sha256: 'abc' },
    {},
  );
  const rereading = reducePreview(beginReread(read), { kind: 'progress', readBytes: 5, preview: null }, {});
  expect(rereading).toMatchObject({ complete: false, readBytes: 5, preview: read.preview });
});

test('a failure stays until the file can be read, and its dialect stays known', () => {
  const choice = { headerRecord: 9 };
  const { dialect } = previewOf({});
  const failed = reducePreview(
    initialPreviewState,
    { kind: 'tooFewRecords', dialect: { ...dialect, headerRecord: 9 } },
    choice,
  );
  const { headerRecord: _overridden, ...others } = detectedDialect;
  expect(failed.detected).toEqual(others);
  expect(failed.failure?.message).toContain('at least a header row and one data row');
  const rereading = reducePreview(beginReread(failed), { kind: 'progress', readBytes: 5, preview: null }, {});
  expect(rereading.failure).toBe(failed.failure);
  const fixed = reducePreview(rereading, { kind: 'progress', readBytes: 9, preview: previewOf({}) }, {});
  expect(fixed).toMatchObject({ failure: null, detected: detectedDialect });
  const binary = { message: 'It is a binary file.', isBeyondDialects: false };
  const broken = reducePreview(fixed, { kind: 'failed', failure: binary, dialect: null }, {});
  expect(broken).toMatchObject({ failure: binary, detected: detectedDialect });
});
