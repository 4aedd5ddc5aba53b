/**
 * The one-time code in the address of a page in a browser. Read and removed before anything else: browsers store history
 * and session storage on disk, where other programs could read it.
 */
export interface PageCode {
  /** Empty without a code. */
  id: string;
  secret: string;
}

export const pageCode: PageCode = takeCode();

function takeCode(): PageCode {
  const [, id = '', secret = ''] = /[#&]code=([\w-]+)\.([\w-]+)/.exec(location.hash) ?? [];
  if (id) history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  return { id, secret };
}
