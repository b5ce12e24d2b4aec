import { expect, test } from 'vitest';
import type { UploadResult } from '../upload-api.ts';
import { buildUploadsToast } from './upload-run.tsx';
import {
  addUploads,
  hasUnsentFiles,
  listNextToSend,
  listUnannounced,
  markAnnounced,
  removeAnnounced,
  removeUpload,
  setUploadPhase,
  type Upload,
  type UploadPhase,
} from './uploads.ts';

const target = (id: number) => ({ id, filename: `${id}.csv`, fileBytes: 10 });
const none: readonly Upload[] = [];
const added = (...ids: number[]) => addUploads(ids.map(target))(none);
const moved = (uploads: readonly Upload[], id: number, to: UploadPhase) => setUploadPhase(id, to)(uploads);
const idsOf = (uploads: readonly Upload[]) => uploads.map(({ id }) => id);

const reply: UploadResult = { id: null, totalProducts: 3, totalRows: 3, testMode: false, sameAs: null };
const sending: UploadPhase = { phase: 'sending', sent: { bytes: 0, whole: false } };
const endPhase: UploadPhase = { phase: 'ended', reply, record: null };
const failed: UploadPhase = { phase: 'failed', message: 'The file is not text.', cause: null };

test('two files are sent at once, the others wait', () => {
  let uploads = added(1, 2, 3, 4);
  expect(idsOf(listNextToSend(uploads))).toEqual([1, 2]);
  uploads = moved(moved(uploads, 1, sending), 2, sending);
  expect(listNextToSend(uploads)).toEqual([]);
  uploads = moved(uploads, 1, { phase: 'processing', reply });
  expect(idsOf(listNextToSend(uploads))).toEqual([3]);
  expect(hasUnsentFiles(uploads)).toBe(true);
  expect(hasUnsentFiles(moved(moved(moved(uploads, 2, endPhase), 3, endPhase), 4, failed))).toBe(false);
});

test('the end of all uploads is announced once', () => {
  let uploads = moved(moved(added(1, 2), 1, endPhase), 2, sending);
  expect(listUnannounced(uploads)).toEqual([]);
  uploads = moved(uploads, 2, failed);
  expect(idsOf(listUnannounced(uploads))).toEqual([1, 2]);
  uploads = markAnnounced(uploads);
  expect(listUnannounced(uploads)).toEqual([]);
  uploads = moved(moved(uploads, 2, { phase: 'waiting' }), 2, endPhase);
  expect(idsOf(listUnannounced(uploads))).toEqual([2]);
});

test('new uploads follow results, which stay until they are removed, at most 50 of them', () => {
  let uploads = markAnnounced(moved(added(1, 2), 1, endPhase));
  uploads = addUploads([target(3)])(uploads);
  expect(idsOf(uploads)).toEqual([1, 2, 3]);
  const secondEnded = moved(uploads, 2, endPhase);
  expect(idsOf(removeAnnounced(secondEnded))).toEqual([2, 3]);
  const announced = markAnnounced(secondEnded);
  expect(idsOf(removeAnnounced(announced))).toEqual([3]);
  expect(idsOf(removeUpload(2)(uploads))).toEqual([1, 3]);

  const ids = Array.from({ length: 60 }, (_, at) => at + 1);
  let many = added(...ids);
  for (const id of ids) many = moved(many, id, endPhase);
  many = markAnnounced(many);
  const more = addUploads([target(61)])(many);
  expect([more.length, more[0]?.id, more.at(-1)?.id]).toEqual([51, 11, 61]);
});

test('one file has the notification of the specification, several have one for all of them', () => {
  expect(buildUploadsToast(moved(added(1), 1, endPhase))).toEqual({
    title: 'CSV Processing Complete!',
    text: '3 products processed and queued. Go to Queue tab to review before pushing to Shopify.',
  });
  expect(buildUploadsToast(moved(added(1), 1, failed))).toEqual({
    title: 'Upload Failed',
    text: 'The file is not text.',
    tone: 'failure',
  });
  const three = moved(moved(moved(added(1, 2, 3), 1, endPhase), 2, endPhase), 3, endPhase);
  expect(buildUploadsToast(three)).toMatchObject({
    title: 'CSV Processing Complete!',
    text: '3 files processed and queued, with 9 products. Go to Queue tab to review before pushing to Shopify.',
    link: { to: '/queue' },
  });
  expect(buildUploadsToast(moved(three, 2, failed))).toMatchObject({
    title: 'Upload Failed',
    text: ['1 file not processed: 2.csv.', '2 files processed and queued, with 6 products.'],
    tone: 'failure',
  });
});
