/**
 * Filler words: common in requests ("currently", "looking", "specific") but rare in tool descriptions, so their inverse
 * document frequency overstates them. General English, not taken from any data set.
 */
import { stemOf } from './words.ts';

const fillerWords = `
able about above absolutely accordingly across actual actually additional additionally after afterwards again against ago
ahead almost along already alright also although always among amount another anybody anymore anyone anything anyway
anywhere apart appreciate appropriate approximately around aside ask asking assist assistance associated assume available away
back bad based basically become been before began begin being believe beneficial besides best better between beyond big
bit both bring brief broad but came care careful carefully case cause certain certainly chance clear clearly close come
comes coming common commonly completely comprehensive concerned consider considering contain containing correct correctly
could couple course curious current currently
deal decide deep definitely depth desire desired despite detail detailed details determine different difficult directly
discover discuss dive done double down due during easily easy effective effectively effort efficient efficiently eight
either else enable encounter end enjoy enough ensure entire entirely equal especially essential etc even eventually ever every
everybody everyone everything everywhere exact exactly excellent except excited exciting expect explain explore
extensive extra extremely fact fair fairly familiar famous far fast favorite feel few figure final finally fine first five
focus focused focusing follow following forward found four frequently friend friendly full fully fun further furthermore
gain gather general generally getting give given giving glad go goes going gone good got great greatly guess guidance guide
half hand handle happen happened happening happy hard hardly have having hear heard hello hence hey hi high highly
hope hoping how however huge hundred idea ideal ideally imagine immediately importance important impressive incl include
included includes including indeed individual info inform information informative initially inside insight insights instance
instead intend intended interest interested interesting involve involved involving
join keep keen kind kindly kinds knew knowing knowledge known lack large last lastly late lately later latest least leave left
less let lets level like likely likewise little live long longer look looking looks lot lots love lovely
made main mainly major make makes making manner many matter maybe mean meaning means meet mention mentioned mere might
mind moment more moreover most mostly much must myself namely near nearly necessary need needed needs neither never
nevertheless new newest next nice nine nobody none nor normally nothing notice now nowadays nowhere
obtain obvious obviously occasionally offer offers often okay old once one ones only onto opinion opportunity
original originally other others otherwise ought ours ourselves outside overall own
part particular particularly past people perfect perfectly perform perhaps personal please pleased plenty plus point
popular possible possibly possibly potential potentially prefer preferably preferred present presently pretty previous
previously primarily prior probably proceed proper properly provide provided provides providing purpose purposes put
question questions quick quickly quite
rather reach ready real really reason reasonable recent recently recommend regard regarding regardless related relating
relatively relevant reliable remain remember request require required requires requiring respective respectively
rest result right roughly
said same saw say saying says second secondly see seek seeking seem seems seen sense serious seriously seven several shall
share short shortly shown shows significant significantly similar simple simply since six slightly small so somebody
somehow someone something sometime sometimes somewhat somewhere soon sorry sort sounds specific specifically specified
start started starting stay step still straight strong stuff such suggest suggestion suggestions suitable super sure
take taken takes taking talk tell ten tend term terms than thank thanks themselves then thereby therefore thing things
think thinking third thorough thoroughly though thought thoughts thousand three through throughout thus tip tips together
today tomorrow tonight too took top topic topics total toward towards tried tries truly try trying turn twice two type types
typical typically ultimately under understand understanding understood unfortunately unique unless unlike until upcoming
upon useful usual usually
valuable variety various very view want wanted wants way ways well went whatever whenever whether whichever whole
wide willing wish within without wonder wonderful wondering word work working works world worried worry worth would wow wrong tool tools function functions
yeah year years yes yesterday yet yours yourself zero
`;

let stems: Set<string> | undefined;

/** Whether the stem belongs to a filler word. */
export function isFillerWord(stem: string): boolean {
  stems ??= new Set(fillerWords.trim().split(/\s+/).map(stemOf));
  return stems.has(stem);
}
