import { expect } from 'vitest';
import { commandEnded, killTask } from '../../support/command-steps.ts';
import { isLong } from '../../support/queue-backend.ts';
import { button, changes, dialogOf, ends, open, row } from '../change-steps.ts';
import { smallTargets, violationsOf } from '../page-checks.ts';
import { expectNoSidewaysScroll, hurryPolls, sees, toast, upload } from '../steps.ts';
import { test } from '../test.ts';

const csvOf = (head: string, rows: readonly string[]) => `${head}\n${rows.join('\n')}\n`;
const shoes = (of: string, rows: number) =>
  csvOf(
    'Title,Price,Brand,Cost',
    Array.from({ length: rows }, (_, at) => `${of} ${at + 1},10,${at % 3 === 0 ? 'Nike' : 'NIKE'},${at + 1}`),
  );

test.runIf(isLong)(
  'rows are filtered by a value, changed, and prices below cost are marked',
  ({ browser, product }) =>
    browser.visit({ viewport: { width: 1024, height: 800 } }, async (page) => {
      const id = await upload(product, 'values.csv', shoes('Valued shoe', 9));
      await open(page, id);
      await button(page, 'Values').click();
      const drawer = page.getByRole('dialog', { name: 'Filter by value' });
      const values = drawer.getByRole('list', { name: 'Values of Brand' });
      await sees(values, 'NIKE6');
      expect(await violationsOf(page)).toEqual([]);
      await button(values, 'Nike 3').click();
      await drawer.waitFor({ state: 'detached' });
      await row(page, 2).waitFor({ state: 'detached' });
      expect(await page.locator('[data-row]').count()).toBe(3);
      await page.reload();
      await row(page, 7).waitFor();
      await button(page, 'Change Rows Found…').click();
      const dialog = dialogOf(page);
      await sees(dialog, 'Filtered by: Brand: Nike');
      await button(dialog, 'Change a Price').click();
      await page.keyboard.type('0.5');
      await button(dialog, 'Round a Price').click();
      // Rows 1, 4 and 7 cost 1, 4 and 7; all are 4.99 then.
      await sees(dialog, 'Row 7');
      const examples = dialog.getByRole('table', { name: 'Values before and after' }).getByRole('row');
      await sees(examples.nth(3), 'Below cost');
      await sees(examples.nth(1), 'Largest change');
      await button(dialog, 'Change 3 Prices').click();
      await sees(row(page, 7), '$4.99');
      await button(page, 'Show rows with any value').click();
      await sees(row(page, 2), '$10.00');
    }),
);

test('options are filtered by name and value, and their spellings made one', ({ browser, product }) =>
  browser.visit({}, async (page) => {
    const head = 'Handle,Title,Price,Option1 Name,Option1 Value,Option2 Name,Option2 Value';
    const rows = [
      'a,Shirt,9,Size,S,Color,Red',
      'a,,9,,M,,red',
      'b,Lamp,20,Color,Red,Size,s',
      'b,,20,,Blue,,M',
    ];
    const id = await upload(product, 'options.csv', csvOf(head, rows));
    await open(page, id);
    await button(page, 'Values').click();
    const drawer = page.getByRole('dialog', { name: 'Filter by value' });
    await drawer.getByLabel('Field').click();
    await page.getByRole('option', { name: 'Options', exact: true }).click();
    const values = drawer.getByRole('list', { name: 'Values of Options' });
    await button(values, 'Color: Red 2').click();
    await drawer.waitFor({ state: 'detached' });
    await row(page, 2).waitFor({ state: 'detached' });
    expect(await page.locator('[data-row]').count()).toBe(2);
    await button(page, 'Values, Color: Red').waitFor();
    await button(page, 'Show rows with any value').click();
    await row(page, 4).waitFor();

    await button(page, 'Change 4 Rows…').click();
    const dialog = dialogOf(page);
    await dialog.getByRole('combobox', { name: 'Field of line 1' }).fill('Options');
    await page.getByRole('option', { name: 'Options', exact: true }).click();
    await button(dialog, 'One Spelling: Size: S').click();
    await button(dialog, 'One Spelling: Color: Red').click();
    await button(dialog, 'Change 2 Values').click();
    await dialog.waitFor({ state: 'detached' });
    await toast(page, 'Options: 2 values replaced');
    await button(page, 'Values').click();
    await button(values, 'Color: Red 3').waitFor();
    await button(values, 'Size: S 2').waitFor();
    expect(await values.getByRole('button').count()).toBe(4);
  }));

test.runIf(isLong)('rows are ticked on a phone', ({ browser, product }) =>
  browser.visit({ touch: true, viewport: { width: 390, height: 844 } }, async (page) => {
    const id = await upload(product, 'phone.csv', shoes('Phone shoe', 4));
    await open(page, id);
    await page.getByRole('checkbox', { name: 'Tick row 2' }).tap();
    await page.getByRole('checkbox', { name: 'Tick row 3' }).tap();
    expect(await smallTargets(page.getByRole('list', { name: 'Product rows' }))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    await expectNoSidewaysScroll(page);
    await button(page, 'Change 2 Rows…').tap();
    const dialog = dialogOf(page);
    await button(dialog, 'Leave Out').tap();
    await button(dialog, 'Leave Out 2 Rows').tap();
    await dialog.waitFor({ state: 'detached' });
    await sees(row(page, 3), 'Left out');
    await page.getByRole('checkbox', { name: 'Tick all rows of this page' }).tap();
    await button(page, 'Change 4 Rows…').waitFor();
  }),
);

test.runIf(isLong)(
  'a change that has stopped is resumed, and stopped by hand it is undone',
  ({ browser, product }) =>
    browser.visit({}, async (page) => {
      await hurryPolls(page);
      const id = await upload(product, 'stopped.csv', shoes('Stopped shoe', 12_000));
      await open(page, id);
      await button(page, 'Change 12,000 Rows…').click();
      const dialog = dialogOf(page);
      await button(dialog, 'Change a Price').click();
      await page.keyboard.type('2');
      await button(dialog, 'Round a Price').click();
      await button(dialog, 'Change Prices in 12,000 Rows').click();
      await dialog.waitFor({ state: 'detached' });
      await killTask(product, id);
      await sees(changes(page), 'Price × 2, to .99');
      await sees(changes(page), /has stopped.*It failed\. Resume it, or undo it\./);
      // Nothing else can be changed before it has ended.
      await expectNoSidewaysScroll(page);
      expect(await violationsOf(page)).toEqual([]);
      await button(changes(page), 'Resume').click();
      await button(changes(page), 'Resume').waitFor({ state: 'detached' });
      await button(changes(page), /^(Stop|Undo)$/).click();
      await ends(page, 'Change undone');
      await commandEnded(product, id);
      await sees(row(page, 1), '$10.00');
      expect(await row(page, 1).getByText('edited').count()).toBe(0);
    }),
);
