import { expect } from 'vitest';
import { signInAt } from '../steps.ts';
import { test } from '../test.ts';

test('Bull Board requires the login, shows the queues and loads nothing from other hosts', ({
  browser,
  product,
}) =>
  browser.visit({}, async (page) => {
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.goto('/admin/queues');
    expect(new URL(page.url()).pathname).toBe('/login');
    await signInAt(page, '/admin/queues');
    for (const queue of ['parse', 'enrich', 'enrich-calls', 'push', 'folder-tasks']) {
      await page.getByRole('link', { name: queue }).first().waitFor();
    }
    await page.getByRole('link', { name: 'parse' }).first().click();
    await page.getByText('Completed', { exact: false }).first().waitFor();
    expect([...asked]).toEqual([product.apiUrl]);
  }));
