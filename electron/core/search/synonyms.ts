/** Words of the domain that mean nearly the same. General English of tools and APIs, taken from no data set. */
import { stemOf } from './words.ts';

const groups = `
file document
folder directory dir path
delete remove erase drop discard trash
create add new make insert
update edit modify change patch set
get fetch retrieve read obtain load show view
list enumerate browse all
find search lookup query locate discover
run execute invoke start launch trigger
stop cancel abort terminate kill halt end
send post publish submit dispatch
issue ticket bug
message chat dm
email mail
picture image photo
repo repository
pr pull merge
commit revision
db database
table sheet
config configuration setting preference option
user person member people account
org organization organisation company
copy duplicate clone
move rename relocate
download save export
upload import attach
compute calculate
convert transform translate
website site webpage page web url link
crawl scrape extract
weather forecast
price cost quote
buy purchase order
schedule calendar appointment event meeting
task todo
directions route navigation
location place address
map geocode
summary summarize summarise
compare diff difference
auth authenticate login signin
validate verify check
analyze analyse analysis inspect examine
error exception failure
log logs history
employee staff worker
movie film
song track music
video clip
book reserve booking reservation
note memo
comment reply review
snapshot screenshot
node entity
picture figure chart plot graph
average mean
random
begin start
`;

let table: Map<string, string[]> | undefined;

/** The stems that may stand for a stem, itself left out. The table is built when first asked for. */
export function synonymsOf(stem: string): readonly string[] {
  table ??= build();
  return table.get(stem) ?? [];
}

function build(): Map<string, string[]> {
  const built = new Map<string, string[]>();
  for (const line of groups.trim().split('\n')) {
    const stems = [...new Set(line.split(' ').map(stemOf))];
    for (const stem of stems) {
      const known = built.get(stem) ?? [];
      built.set(stem, [...new Set([...known, ...stems.filter((other) => other !== stem)])]);
    }
  }
  return built;
}
