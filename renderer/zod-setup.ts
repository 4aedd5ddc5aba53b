/** Imported before any schema. Disables zod's JIT, which the content security policy forbids. */
import * as z from 'zod';

z.config({ jitless: true });
