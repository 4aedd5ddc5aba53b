/** Prompts and resources whose text may mislead agents. They are held until the user accepts them, as tools are. */
import type { OfferKind } from '../../../shared/model/prompt.ts';
import { toolKey } from '../../../shared/tool-key.ts';
import type { JsonObject } from '../types.ts';
import { fingerprint } from './fingerprint.ts';
import type { Pins } from './pins.ts';

export interface HeldOffer {
  kind: OfferKind;
  definition: JsonObject;
  /** The reasons why it is held. */
  findings: string[];
}

const idKeys = { prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

/** The name or address by which clients request it. */
export const idOf = (kind: OfferKind, definition: JsonObject) => String(definition[idKeys[kind]]);

/** The key contains a space, so it is not that of a tool. The fingerprint covers the text that was checked. */
export function pinOf(server: string, { kind, definition, findings }: HeldOffer) {
  const { name, title, description, arguments: inputSchema } = definition;
  return {
    key: toolKey(server, `${kind} ${idOf(kind, definition)}`),
    fingerprint: fingerprint({ name, title, description, inputSchema }),
    findings,
  };
}

export const isAccepted = (pins: Pins, server: string, offer: HeldOffer) =>
  pins.heldReason(pinOf(server, offer)) === undefined;

export const accept = (pins: Pins, server: string, offer: HeldOffer, seen?: string) =>
  pins.accept(pinOf(server, offer), undefined, seen);
