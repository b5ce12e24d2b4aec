import { z } from 'zod';

// zod would try `new Function` when a schema is made; the content security policy reports that as a violation.
// Schemas are made while modules load, so the switch comes first and everything else is imported after it.
z.config({ jitless: true });

const { start } = await import('./shell/start.tsx');
start(document.getElementById('root'));
