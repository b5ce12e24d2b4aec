import { z } from 'zod';

// When a schema is created, zod would try `new Function`, which the content security policy reports as a violation.
z.config({ jitless: true });
