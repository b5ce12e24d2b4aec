import { expect } from 'vitest';
import { isLong } from '../support/queue-backend.ts';
import { button, dialogOf, filters, open, row } from './change-steps.ts';
import { hasFocus, holdPost, sees, toast, upload } from './steps.ts';
import { test } from './test.ts';

const shoes = (rows: number, of = 'shoe') =>
  `Title,Price,Brand\n${Array.from({ length: rows }, (_, at) => `${of} ${at + 1},${at + 1}.50,Nike`).join('\n')}\n`;

test.runIf(isLong)(
  'lines stay where the window takes another layout, presets add to them, and the focus stays near',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 1280, height: 900 } }, async (page) => {
      const id = await upload(product, 'lines.csv', shoes(12, 'lined shoe'));
      await open(page, id);
      await button(page, 'Change 12 Rows…').click();
      const dialog = dialogOf(page);
      const lines = dialog.getByRole('group', { name: /^Line/ });
      await button(dialog, 'Change a Price').click();
      await page.keyboard.type('1.2');
      await sees(dialog, 'Price × 1.2');
      expect(await lines.count()).toBe(1);
      await button(dialog, 'Round a Price').click();
      await sees(dialog, 'Price × 1.2, to .99');
      // A table, cards, and the issues beside the table.
      for (const width of [390, 1700, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await sees(dialog, 'Price × 1.2, to .99');
      }
      expect(await lines.count()).toBe(2);
      await sees(dialog, 'Add');
      await button(dialog, 'Set').click();
      expect(await lines.count()).toBe(3);
      await hasFocus(lines.nth(2).getByRole('textbox', { name: 'Value (line 3)' }));
      // A line that has got no entry gives its place.
      await button(dialog, 'Leave Out').click();
      await sees(dialog, /^Price × 1.2, to .99, left out/);
      expect(await lines.count()).toBe(3);
      await button(dialog, 'Remove line 3').click();
      await hasFocus(button(dialog, 'Remove line 2'));
      await button(dialog, 'Remove line 1').click();
      await hasFocus(button(dialog, 'Add a Step'));
    }),
);

test.runIf(isLong)(
  'the reply of a change neither closes nor empties a dialog that was opened since',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const id = await upload(product, 'opened-again.csv', shoes(3, 'reopened shoe'));
      await open(page, id);
      await button(page, 'Change 3 Rows…').click();
      const dialog = dialogOf(page);
      await button(dialog, 'Change a Price').click();
      await page.keyboard.type('2');
      await sees(dialog, 'Price × 2');
      const release = await holdPost(page, `/api/queue/${id}/edits`);
      await button(dialog, 'Change 3 Prices').click();
      await button(dialog, 'Cancel').click();
      await dialog.waitFor({ state: 'detached' });
      await button(page, 'Change 3 Rows…').click();
      await sees(dialog, 'Price × 2');
      await dialog.getByRole('textbox', { name: 'Number (line 1)' }).fill('3');
      release();
      await sees(row(page, 3), '$7.00');
      await sees(dialog, 'Price × 3');
      await button(dialog, 'Change 3 Prices').click();
      await dialog.waitFor({ state: 'detached' });
      await sees(row(page, 3), '$21.00');
    }),
);

test.runIf(isLong)(
  'the fix of an issue is a button, for a row and for all rows with it',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      const csv = `Title,Price,UPC\n${[1, 2, 3].map((at) => `Fixed shoe ${at},9.50,03600029145${at + 2}`).join('\n')}\n`;
      const id = await upload(product, 'fixes.csv', `${csv}Sound shoe,9.50,036000291452\n`);
      await open(page, id);
      // 036000291452 has the right check digit; rows 1 to 3 end in 3, 4 and 5.
      await button(page, 'Clear UPC in row 2').click();
      const dialog = dialogOf(page);
      await sees(dialog, 'Change 1 row');
      await sees(dialog, 'Row 2');
      await button(dialog, 'Clear 1 UPC').click();
      await toast(page, 'UPC cleared');
      await button(page, 'Clear UPC in row 2').waitFor({ state: 'detached' });
      await button(filters(page), /^Invalid UPC 2$/).click();
      await button(page, 'Change 2 Rows…').waitFor();
      await button(filters(page), 'Clear UPC…').click();
      await sees(dialog, 'Change 2 rows');
      await button(dialog, 'Clear 2 UPCs').click();
      await dialog.waitFor({ state: 'detached' });
      await button(filters(page), /^Invalid UPC 0$/).waitFor();
      // The rows stay.
      await button(row(page, 1), /^Clear UPC/).waitFor({ state: 'detached' });
    }),
);
