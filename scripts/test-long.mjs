// npm run test:long: as npm test, with every scenario on every queue backend. Arguments as for npm test.
process.env.TEST_LONG = '1';
await import('./test.mjs');
