import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { expect } from 'vitest';
import { feedSteps } from '../../support/feed-steps.ts';
import { csvOf } from '../../support/fixture.ts';
import { hasOpenSsh, startOpenSsh } from '../../support/open-ssh.ts';
import { linkMode, startSftpServer } from '../../support/sftp-server.ts';
import { test as base } from '../../support/test.ts';

const signIn = { kind: 'password', user: 'ada', password: 'geheim' } as const;

const test = base.extend('fetching', async ({ fixture }, { onCleanup }) => {
  await fixture.database.pool.query('delete from imports');
  await fixture.database.pool.query('delete from feeds');
  const server = await startSftpServer({ name: 'ada', password: 'geheim' });
  onCleanup(server.close);
  return { server, ...feedSteps(fixture, { allowedOrigins: [server.origin] }) };
});

const listOf = (price: string): string =>
  csvOf([
    ['Title', 'Price', 'SKU'],
    ['Soap', price, 'A'],
  ]);

test('a file of an sftp server is a list; the same version is not read again', async ({ fetching }) => {
  const { server, ...steps } = fetching;
  server.write('/out/prices.csv', listOf('1.50'), 1_000);
  const { id, supplier } = await steps.add(`${server.origin}/out/prices.csv`, 'Acme', { signIn });
  expect((await steps.find(id)).host_key).toMatch(/^SHA256:[\w+/]{43}$/);
  await steps.fetch(supplier);
  const [record] = await steps.imports();
  expect(record).toMatchObject({ filename: 'prices.csv', total_products: 1, source: 'address' });
  expect(record?.file_at).toEqual(new Date(1_000_000));

  const reads = () => server.asked.filter((path) => path === '/out/prices.csv').length;
  const before = reads();
  await steps.fetchDue(id);
  // One look at it.
  expect(reads()).toBe(before + 1);
  server.write('/out/prices.csv', listOf('1.75'), 2_000);
  await steps.fetchDue(id);
  expect(await steps.imports()).toHaveLength(2);
});

test('the newest file whose name fits is read; links and foreign names are not', async ({ fetching }) => {
  const { server, ...steps } = fetching;
  server.write('/out/stock_1.csv', listOf('1.00'), 1_000);
  server.write('/out/stock_2.csv', listOf('2.00'), 3_000);
  server.write('/out/other.csv', listOf('9.00'), 4_000);
  server.write('/out/stock_link.csv', listOf('9.00'), 5_000, linkMode);
  server.write('/out/../stock_up.csv', listOf('9.00'), 6_000);
  server.write('/out/.stock_hidden.csv', listOf('9.00'), 7_000);
  const tested = await steps.test(`${server.origin}/out/*stock_*.csv`, { signIn });
  expect(tested).toMatchObject({ trouble: null, preview: { filename: 'stock_2.csv' } });
  expect(server.asked).toEqual(['/out', ...Array(server.asked.length - 1).fill('/out/stock_2.csv')]);
});

test('another host key stops before a password is offered, until it is trusted', async ({ fetching }) => {
  const { server, ...steps } = fetching;
  server.write('/prices.csv', listOf('1.50'), 1_000);
  const address = `${server.origin}/prices.csv`;
  const { id, supplier } = await steps.add(address, 'Acme', { signIn });
  const before = await steps.find(id);
  await server.changeKey();
  server.offered.length = 0;
  await steps.fetch(supplier);
  expect(server.offered).toEqual([]);
  const feed = await steps.find(id);
  expect(feed).toMatchObject({ trouble_kind: 'host key', host_key: before.host_key });
  expect(feed.trouble).toMatch(/shows another key than before/);
  expect(feed.trouble_cause).toMatch(/^SHA256:/);

  const trusted = await steps.test(address, { supplier, signIn, hostKey: feed.trouble_cause });
  expect(trusted).toMatchObject({ trouble: null, host_key: feed.trouble_cause });
});

test('a private key signs in; a wrong password is a sentence', async ({ fixture, fetching }) => {
  const { server, ...steps } = fetching;
  server.write('/prices.csv', listOf('1.50'), 1_000);
  const wrong = await steps.test(`${server.origin}/prices.csv`, {
    signIn: { ...signIn, password: 'canary' },
  });
  expect(wrong).toMatchObject({ trouble_kind: 'sign in', preview: null });
  expect(wrong.trouble).toMatch(/refuses the sign-in\.$/);
  expect(JSON.stringify(wrong)).not.toContain('canary');

  const pair = ssh2.utils.generateKeyPairSync('ed25519');
  const keyed = await startSftpServer({ name: 'ada', publicKey: pair.public });
  keyed.write('/prices.csv', listOf('1.50'), 1_000);
  const other = feedSteps(fixture, { allowedOrigins: [keyed.origin] });
  const key = { kind: 'key', user: 'ada', privateKey: pair.private, passphrase: '' } as const;
  expect(await other.test(`${keyed.origin}/prices.csv`, { signIn: key })).toMatchObject({
    trouble: null,
    preview: { filename: 'prices.csv', products: 1 },
  });
  const broken = { ...key, privateKey: 'canary' };
  expect(await other.test(`${keyed.origin}/prices.csv`, { signIn: broken })).toMatchObject({
    trouble: 'The private key can’t be read. Check it and its passphrase.',
  });
  await keyed.close();
});

test('a private address is refused unless it is allowed', async ({ fixture, fetching }) => {
  const { server } = fetching;
  const strict = feedSteps(fixture, { allowedOrigins: [] });
  const tested = await strict.test(`${server.origin}/prices.csv`, { signIn });
  expect(tested).toMatchObject({ trouble_kind: 'address', preview: null });
  expect(tested.trouble).toMatch(/leads into a private network/);
  expect(server.offered).toEqual([]);
});

test.skipIf(!hasOpenSsh)('OpenSSH serves lists', async ({ fixture, fetching }) => {
  expect(fetching.server.asked).toEqual([]);
  const server = await startOpenSsh();
  const { signIn: key, files } = server;
  const steps = feedSteps(fixture, { allowedOrigins: [server.origin] });
  await writeFile(join(files, 'prices.csv'), listOf('1.50'));
  await symlink('/etc/passwd', join(files, 'link.csv'));
  const address = (name: string) => `${server.origin}${files}/${name}`;
  expect(await steps.test(address('link.csv'), { signIn: key })).toMatchObject({ trouble_kind: 'not found' });
  expect(await steps.test(address('none.csv'), { signIn: key })).toMatchObject({ trouble_kind: 'not found' });
  const { id, supplier } = await steps.add(address('*.csv'), 'Acme', { signIn: key });
  await steps.fetch(supplier);
  await steps.fetch(supplier);
  expect(await steps.imports()).toMatchObject([{ filename: 'prices.csv' }]);
  expect(await steps.find(id)).toMatchObject({ trouble: null });
  await server.close();
});
