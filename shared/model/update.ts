/** The state of updates, as the user sees it. */
import * as z from 'zod';

export const updateSchema = z.object({
  /**
   * `disabled`: by a setting or the administrator. `current`: no newer version is known. `ready`: downloaded, and installed when
   * the app restarts. `waiting`: the app restarts as soon as no call is running and no question is open. `available`: the user
   * has to download it. `manual`: this installation does not look for new versions.
   */
  state: z.enum(['disabled', 'current', 'downloading', 'ready', 'waiting', 'available', 'manual']),
  /** The newer version. */
  version: z.string().optional(),
  /** The website with the downloads, if the state is `available`. */
  url: z.string().optional(),
  /** How the user updates, if the state is `manual`. */
  how: z.string().optional(),
  /** Epoch milliseconds of the last check that got an answer. */
  checkedAt: z.number().optional(),
  /** Why the last check or download failed. */
  problem: z.string().optional(),
});

export type UpdateView = z.output<typeof updateSchema>;
