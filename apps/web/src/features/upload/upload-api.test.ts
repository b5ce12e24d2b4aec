import { expect, test } from 'vitest';
import { buildUploadForm, parseBytesMax } from './upload-api.ts';

test('options are sent as strings, and testMode only if it is on', () => {
  const file = new File(['Title,Price\nLamp,1\n'], 'a.csv', { type: 'text/csv' });
  const all = buildUploadForm(file, { enableUpc: false, enableAi: true, testMode: false });
  expect([all.get('enableUPC'), all.get('enableAI'), all.has('testMode')]).toEqual(['false', 'true', false]);
  expect(buildUploadForm(file, { enableUpc: true, enableAi: false, testMode: true }).get('testMode')).toBe(
    'true',
  );
  expect(all.get('csv')).toBeInstanceOf(File);
});

test('dialect overrides are sent before the file, and only if there are any', () => {
  const file = new File(['Title;Price\nLamp;1\n'], 'a.csv', { type: 'text/csv' });
  const options = { enableUpc: true, enableAi: true, testMode: false };
  const form = buildUploadForm(file, { ...options, dialect: { delimiter: ';', headerRecord: -1 } });
  expect(JSON.parse(String(form.get('dialect')))).toEqual({ delimiter: ';', headerRecord: -1 });
  const fields = [...form.keys()];
  expect(fields.indexOf('dialect')).toBeLessThan(fields.indexOf('csv'));
  expect(buildUploadForm(file, { ...options, dialect: {} }).has('dialect')).toBe(false);
  expect(buildUploadForm(file, options).has('dialect')).toBe(false);
});

test('mapping overrides are sent before the file; an empty mapping means that nothing remembered is used', () => {
  const file = new File(['Title,Price\nLamp,1\n'], 'a.csv', { type: 'text/csv' });
  const options = { enableUpc: true, enableAi: true, testMode: false };
  const form = buildUploadForm(file, { ...options, mapping: { columns: { Title: null }, readings: {} } });
  expect(form.get('mapping')).toBe('{"Title":null}');
  const fields = [...form.keys()];
  expect(fields.indexOf('mapping')).toBeLessThan(fields.indexOf('csv'));
  expect(buildUploadForm(file, { ...options, mapping: { columns: {}, readings: {} } }).get('mapping')).toBe(
    '{}',
  );
  expect(buildUploadForm(file, options).has('mapping')).toBe(false);
});

test('an upload says when its file was changed, and whose list it is if the operator has said so', () => {
  const file = new File(['Title,Price\nLamp,1\n'], 'a.csv', { lastModified: Date.UTC(2026, 2, 3) });
  const options = { enableUpc: true, enableAi: true, testMode: false };
  expect(buildUploadForm(file, options).get('fileDate')).toBe('2026-03-03T00:00:00.000Z');
  expect(buildUploadForm(file, options).has('supplier')).toBe(false);
  expect(buildUploadForm(file, { ...options, supplier: 'new' }).get('supplier')).toBe('new');
});

test('the size limit comes from the page, else it is the default', () => {
  expect(parseBytesMax('1073741824')).toBe(1_073_741_824);
  expect(parseBytesMax(undefined)).toBe(52_428_800);
  expect(parseBytesMax('none')).toBe(52_428_800);
});
