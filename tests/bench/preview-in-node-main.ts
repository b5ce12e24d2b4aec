import { createReadStream } from 'node:fs';
import { createPreviewer } from '../../apps/web/src/pages/upload/preview.ts';

// The preview's reader over one file in a process of its own, as the browser has it in a worker of its own.
const [file = ''] = process.argv.slice(2);
const begun = performance.now();
const previewer = createPreviewer();
for await (const piece of createReadStream(file)) previewer.push(piece);
const preview = previewer.end();
process.send?.({ ms: performance.now() - begun, rows: preview?.totalRows });
