/** The prompts and resources of a server, for the user. */
import * as z from 'zod';

const named = {
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
};

export const promptViewSchema = z.object({
  ...named,
  arguments: z.array(z.object({ ...named, required: z.boolean() })),
});
export type PromptView = z.infer<typeof promptViewSchema>;

export const resourceViewSchema = z.object({
  ...named,
  uri: z.string(),
  mimeType: z.string().optional(),
  /** Size in bytes. */
  size: z.number().optional(),
});
export type ResourceView = z.infer<typeof resourceViewSchema>;

/** The URIs of many resources, for example `file:///logs/{date}`. */
export const resourceTemplateViewSchema = z.object({
  ...named,
  uriTemplate: z.string(),
  mimeType: z.string().optional(),
});
export type ResourceTemplateView = z.infer<typeof resourceTemplateViewSchema>;
