// npm run test:long: as npm test, with every scenario on every queue backend, and the quotas of sources with 10,000 rows.
// Arguments as for npm test.
process.env.TEST_LONG = '1';
process.env.LOOKUPS = 'long';
await import('./test.mjs');
