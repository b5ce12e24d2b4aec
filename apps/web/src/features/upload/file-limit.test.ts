import { fileBytesMaxDefault } from '@draftshelf/csv/limits';
import { expect, test } from 'vitest';
import { limitNote, limitWords } from './file-limit.ts';

test("the default is the specification's 50MB; another limit has a note", () => {
  expect([limitWords(fileBytesMaxDefault), limitNote(fileBytesMaxDefault)]).toEqual(['50MB', null]);
  const raised = 2 * 1024 ** 3;
  expect([limitWords(raised), limitNote(raised)]).toEqual(['2 GB', 'This server accepts files up to 2 GB.']);
});
