import { createReadStream } from 'node:fs';
import { createPreviewer } from '../../apps/web/src/features/upload/preview/preview.ts';

// Reads one file with the preview's reader in its own process, as the browser does in its own worker.
const [file = ''] = process.argv.slice(2);
const begun = performance.now();
const previewer = createPreviewer();
for await (const piece of createReadStream(file)) previewer.push(piece);
const preview = previewer.end();
process.send?.({ ms: performance.now() - begun, rows: preview?.totalRows });
