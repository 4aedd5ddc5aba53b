/** The sizes that the user chose by dragging. */
import { createViewState, type ViewState } from './view-state.ts';

export interface LayoutState {
  /** The width of the list next to the details, in pixels; 0 means the default width. */
  listWidth: number;
}

export const listWidths = { smallest: 220, largest: 640 };

const isWidth = (value: unknown) =>
  typeof value === 'number' && (value === 0 || (value >= listWidths.smallest && value <= listWidths.largest));

export const createLayout = (): ViewState<LayoutState> =>
  createViewState<LayoutState>('layout', { listWidth: 0 }, { listWidth: isWidth });
