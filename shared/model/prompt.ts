/** The prompts and resources of a server, for the user. */
import * as z from 'zod';

/** The lists in which a server offers prompts and resources. */
export const offerKindSchema = z.enum(['prompts', 'resources', 'resourceTemplates']);
export type OfferKind = z.infer<typeof offerKindSchema>;

const named = {
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
};

/** Why agents do not get it until the user accepts it. `fingerprint` identifies the text, for `offers.accept`. */
const held = z.object({ findings: z.array(z.string()), fingerprint: z.string() }).optional();

export const promptViewSchema = z.object({
  ...named,
  held,
  arguments: z.array(z.object({ ...named, required: z.boolean() })),
});
export type PromptView = z.infer<typeof promptViewSchema>;

export const resourceViewSchema = z.object({
  ...named,
  held,
  uri: z.string(),
  mimeType: z.string().optional(),
  /** Size in bytes. */
  size: z.number().optional(),
});
export type ResourceView = z.infer<typeof resourceViewSchema>;

/** The URIs of many resources, for example `file:///logs/{date}`. */
export const resourceTemplateViewSchema = z.object({
  ...named,
  held,
  uriTemplate: z.string(),
  mimeType: z.string().optional(),
});
export type ResourceTemplateView = z.infer<typeof resourceTemplateViewSchema>;
