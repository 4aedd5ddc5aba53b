/** Imported before any schema: zod must not compile code at run time, which the page's security policy refuses. */
import * as z from 'zod';

z.config({ jitless: true });
