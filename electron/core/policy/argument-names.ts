/** Recognizes by name what an argument holds: a path, a place, an address, a destination, or free text. */

export const wordsOf = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
export const pathName =
  /(?:^|[_\-.\s])(?:paths?|files?|filenames?|filepaths?|dirs?|director(?:y|ies)|folders?|source|src|destination|dest|cwd|root)(?:$|[_\-.\s])/;
/** Names of arguments that say what a tool works on, rather than what it does. */
export const placeName =
  /(?:^|[_\-.\s])(?:repo|repository|owner|org|organi[sz]ation|project|branch|channel|database|db|schema|table|collection|workspace|team|account|tenant|domain|host|environment|env|bucket|namespace|cluster|region|site|recipient|to|user|username|email)(?:$|[_\-.\s](?:id|name)?$)/;
/** Names of arguments for a place that contains other places: a `repo` of one `owner` is not the same `repo` of another. */
export const ownerName =
  /(?:^|[_\-.\s])(?:owner|org|organi[sz]ation|project|workspace|team|account|tenant|domain|host|environment|env|cluster|namespace|region|site|database|db|schema|repo|repository)(?:$|[_\-.\s](?:id|name)?$)/;
export const addressName =
  /(?:^|[_\-.\s])(?:urls?|uris?|link|href|hosts?|endpoint|domain|proxy|webhook|callback)(?:$|[_\-.\s])/;
/** Names of arguments that say where or to whom the call sends something, as in `to`, `chatId` and `phone_numbers`. */
export const destinationName =
  /(?:^|[_\-.\s])(?:(?:url|uri|host|server|recipient|receiver|attendee|invitee|participant|guest|member|contact|peer|group|e?mail|phone|mobile|endpoint|domain|prox(?:y|ie)|webhook|callback|remote|bucket|channel|chat|room|conversation|thread|user|account|payee|target|destination|mailbox|inbox)s?|address(?:es)?|to|cc|bcc|dest|jid|wa|iban|wallet)(?:$|[_\-.\s]?(?:ids?|names?|address(?:es)?|numbers?|handles?|lists?)?$)/;
/** Names of users and of what contains the content that a call adds. They do not say on what a dangerous call acts. */
export const containerName =
  /(?:^|[_\-.\s])(?:(?:assignee|reviewer|follower|subscriber|beneficiary|customer|board|space|queue|topic|list)s?|share_?with|shared_?with|beneficiaries)(?:$|[_\-.\s]?(?:ids?|keys?|names?)?$)/;
/** Names of arguments whose address gets what the call sends. */
export const hookName = /(?:^|[_\-.\s])(?:(?:web)?hooks?|endpoint|callback)(?:$|[_\-.\s]?(?:ur[il]s?|address)?$)/;
/** Names of arguments with free text, in which a separator does not indicate a path. */
export const contentName =
  /^(?:contents?|text|body|message|title|description|new_?(?:str|string|text)|old_?(?:str|string|text)|mime_?type|encoding)$/;
/** Names of arguments that identify what the call acts on, where a tool has no other destination. */
export const identifierName =
  /(?:^|[_\-.\s])(?:(?:gid|uuid|id|key|number|handle|slug|path|file|name|filename|password)s?|dir|directory|folder)_?$/;
/** Names of numbers that say how much a call spends or changes. */
export const amountName =
  /(?:^|[_\-.\s])(?:amount|price|cost|fee|total|sum|count|quantity|qty|budget)(?:$|[_\-.\s](?:cents|minor|value)?$)/;
/** Names of arguments without which an amount says little. */
export const unitName = /(?:^|[_\-.\s])(?:currency|unit|asset|coin|denomination)(?:$|[_\-.\s](?:code|id)?$)/;
