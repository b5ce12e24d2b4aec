import { expect, test } from 'vitest';
import { helpTexts } from './hint.tsx';

test('each topic of the specification has a text', () => {
  expect(Object.keys(helpTexts)).toEqual([
    ...['file upload', 'field mapping', 'AI validation', 'UPC lookup', 'draft mode'],
    ...['batch processing', 'inventory sync', 'error handling', 'progress tracking', 'store integration'],
  ]);
  for (const text of Object.values(helpTexts)) expect(text).toMatch(/^[A-Z].*\.$/);
});

test('the texts make the claims of the specification', () => {
  expect(helpTexts['field mapping']).toContain('40+ header variations');
  expect(helpTexts['file upload']).toContain('50MB');
  expect(helpTexts['draft mode']).toContain('Products are created as drafts');
});
