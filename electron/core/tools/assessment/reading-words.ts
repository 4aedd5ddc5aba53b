/**
 * Words in the names of switches, choices and objects of tools that only read, from the labeled servers in
 * `test/fixtures/tools`, without words that also name changes.
 */
import { words } from './verb-row.ts';

export const readingWords = words(
  `aabb accept accounting acknowledgement activity actor address adverse alert align all allow already alteration
   alternatives am analysis analyzed annotations api archive archived args asc ascending asset assigned at attachment
   attachments attributes audit auth autocorrect bbox billing binary blast blocked blocker blocking body boxes branch
   bucket build builds built builtin by cache campaigns capitalize captchas capture case category center change changed
   changes channel channels chats checkout children chunk clean clear cloud cluster cnt code codegen collection columns
   comment comments commit compare complete completed concurrency conditions confirmation connected connections consent
   content context continuation continue cookies coordinates coords cost count country counts create created creation
   creators currency current custom data dataset date days deadline debug decorations default definition deleted
   deletions delivery density dependencies depth descending descriptions detail detailed details difficulty direction
   disable disabled discount discovery disposition docs document domain domains done drive dropped due duplicates
   duration effective element email empty enable enabled end engine entity epic eq error eta event events exact
   examples exclude existing expand explain explanation expressions extended external extra extract facets failure
   favicon featured feed feeds fetch field fields file files filter filtered filters flagged flags flow focus follow
   followed for force format formulas found frame from full gender geo geometries git global google group has hashes
   headers healed hidden hide high hosts hours html id ids ignore image images importance in inbox include indices info
   inline inputs intents intermediate internal internals interval is isnull iso item json keyword keywords label labels
   lang language latest layout learn length level lines links list local location logic mailbox main manager managers
   map markdown marker market match max me media medium message messages meta metadata method metrics min mine minified
   minify mobile mode model monitoring more muted name names namespaced namespaces narrow navigation ne needed needs
   network next no node nodes normalize not note number numbers offline on one oneline ongoing only operation operator
   opt option options order orderby organic organization orient origin original other out output overall overdue owner
   ownership page pages pagetype pagination palette paperless parameters params partial path pattern pdf percentage
   perimeter period permanent pii pinned plan plans platform png pods point polygons populate popup position potential
   ppc pr pre precision predictions preserved pretty previous price private product production profile prompt
   properties proration protocol provider proxy publisher quality quantity queries query questions range raw read
   recency recommendations recommended recurring recursion recursive redact reference references refs region
   relationships releases repeating replies report repository request requests require rerank resolution resource
   respect response result results retention retry return reveal reverse review reviewer revision right roi roles
   routing rules safe safesearch scan schema scope scrape screen screenshot scripts sdr se search section secure seed
   select selection sensitive serial series service session settings severity shape show signature single sitemap size
   skip snippets solve sort source special specification spellcheck spelling sprints stack staged standard start
   started stat state static status stealth step stock story strategy style styles subaccounts subdistricts subdomains
   subfolders subtask success suggested summarize summary symbol symbols tag tags task tasks tax team template terms
   tests text texture theme thought thoughts threshold time timeframe timestamps timing tls tokens top topic total
   totals traces traffic trial trials type ui uid unavailable unestimated unique unit units unread unstarted
   unsupported untracked updateable uppercase url urls use user validate validation validator variations verbose
   verification verified version versions view viewable viewport visibility visible wait web whitespace with within
   work workflow workspace worldview xhr zero`,
);
