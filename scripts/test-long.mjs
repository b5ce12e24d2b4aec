// npm run test:long: as npm test, with every scenario on every queue backend, the quotas of sources with 10,000 rows,
// memory with files of hundreds of megabytes, the restore of a million rows, and further cases of rules. Arguments as
// for npm test.
process.env.TEST_LONG = '1';
process.env.LOOKUPS = 'long';
await import('./test.mjs');
