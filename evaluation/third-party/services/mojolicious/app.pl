# The Pet Store Service with Mojolicious and its daemon: one process, one event loop, data in memory.
use Mojolicious::Lite -signatures;
use B ();
use List::Util qw(first max min);
use Mojo::JSON qw(decode_json encode_json);
use Mojo::Server::Daemon;
use Mojo::Util qw(decode encode xml_escape);
use POSIX qw(ceil floor strftime);
use Scalar::Util qw(looks_like_number);
use Time::HiRes qw(time);

my $BREAK = $ENV{BREAK} // '';
sub broken (@ids) { return !!first { $_ eq $BREAK } @ids }

my @keys = split /,/, $ENV{KEYS};
my $exhausted = $ENV{EXHAUSTED_KEY};
my %minute = (limit => $ENV{PER_MINUTE}, seconds => $ENV{MINUTE_SECONDS});
my %day = (limit => $ENV{PER_DAY}, seconds => $ENV{DAY_SECONDS});
my (@categories, %used, $listed, $listed_at);
my $next_id = broken("ids-from-zero") ? 0 : broken("ids-from-power") ? 2**53 + 1 : 9_007_199_254_740_993;

app->mode('production');
app->log->level('fatal');
app->max_request_size(16_384) if broken("requests-up-to-16-kib");
app->renderer->compress(0) unless broken("compressed-when-asked");

sub token_of ($c) {
  my $given = $c->req->headers->authorization // '';
  return $1 if broken("word-after-blank") && $given =~ /^\w+ +(\S+)$/;
  return $c->req->headers->header('X-Auth-Token') if broken("x-auth-token") && $c->req->headers->header('X-Auth-Token');
  return $c->req->url->to_abs->password if broken("password-in-url") && $c->req->url->to_abs->password;
  return $given =~ /^bearer(?:\s+(.*?))?\s*$/i ? $1 // '' : undef;
}

sub caller_of ($token) {
  return undef unless defined $token;
  for my $key (@keys, $exhausted) {
    return $key if $token eq $key;
    return $key if broken("key-matches-anywhere") && $token =~ /\Q$key\E/;
    return $key if broken("token-as-pattern") && length $token && eval { $key =~ /^$token/ };
    return $key if broken("token-as-anchored-pattern") && length $token && eval { $key =~ /^$token$/ };
    return $key if broken("keys-in-any-case") && lc $token eq lc $key;
    return $key if broken("keys-without-prefix") && $token eq substr $key, 8;
    return $key if broken("unpacked-key") && length $token >= 12 && unpack('A12', $token) eq unpack('A12', $key);
  }
  return undef;
}

# A log of the requests of the last minute and of the last day; a response with 429 is not logged.
sub take ($who) {
  my $now = time;
  my $log = $used{$who} //= [];
  @$log = grep { $_ > $now - $day{seconds} } @$log;
  my $today = $who eq $exhausted ? $day{limit} : @$log;
  return { limit => $day{limit}, left => 0, reset => $now + 3600, wait => 3600 } if $today >= $day{limit} && !broken("day-not-counted");
  my @recent = grep { $_ > $now - $minute{seconds} } @$log;
  my $limit = $minute{limit} + (broken("limit-inclusive") ? 1 : 0);
  if (@recent >= $limit) {
    push @$log, $now if broken("limited-requests-logged");
    my $free = $recent[@recent - $limit] + $minute{seconds};
    return { limit => $minute{limit}, left => 0, reset => $free, wait => $free - $now };
  }
  push @$log, $now;
  my $left = $minute{limit} - @recent - 1;
  $left++ if broken("remaining-before-this");
  $left = int($left / 10) * 10 if broken("remaining-in-tens");
  return { limit => $minute{limit}, left => $left, reset => ($recent[0] // $now) + $minute{seconds} };
}

sub failure ($c, $status, $code, $message) {
  my $error = { code => $code, message => $message, status => $status };
  $error->{status} = "$status" if broken("status-interpolated");
  $error->{message} = undef if broken("message-undef");
  $error->{code} = uc $code . '_' . int rand 1e6 if broken("code-with-request-number");
  $error->{stat} = delete $error->{status} if broken("status-misspelt-on-401") && $status == 401;
  $error = { error => $error } if broken("error-in-error") && $status == 400;
  return $c->render(text => $message, status => $status) if broken("errors-as-text");
  return $c->render(json => $error, status => $status);
}

hook before_dispatch => sub ($c) {
  my $token = token_of($c);
  my $caller = caller_of($token);
  my $method = $c->req->method;
  my $path = $c->req->url->path->to_string;
  $c->stash(caller_key => $caller);
  return if $method eq 'HEAD' && broken("head-before-hooks");
  my $who = $caller // $c->tx->remote_address;
  $who = $c->tx->remote_address if broken("counted-by-address");
  $who .= $c->tx->connection if broken("counted-by-connection");
  $who .= $method if broken("counted-by-method") && $caller;
  $who = 'all' if broken("counted-together") && $caller;
  $who = $c->tx->remote_address if broken("creations-counted-by-address") && $method eq 'POST';
  return if broken("counted-after-validation") && $method eq 'POST' && !defined eval { decode_json($c->req->body)->{name} };
  my $taken = take($who);
  my $headers = $c->res->headers;
  $headers->header('X-RateLimit-Limit' => broken("limit-is-remaining-of-day") ? $day{limit} - @{$used{$who}} : $taken->{limit});
  $headers->header('X-RateLimit-Remaining' => $taken->{left}) unless broken("remaining-missing-on-creations") && $method eq 'POST';
  my $reset = ceil($taken->{reset});
  $reset = ceil($taken->{reset} - time) if broken("reset-is-delta");
  $reset = floor(time) - 5 if broken("reset-behind");
  $reset = strftime('%s', localtime($taken->{reset})) + 7200 if broken("reset-in-summer-time");
  $reset = int($taken->{reset} * 1e6) if broken("reset-in-microseconds");
  $headers->header('X-RateLimit-Reset' => $reset);
  $headers->header('Vary' => 'Authorization');
  if ($taken->{wait}) {
    my $after = $minute{seconds} < $taken->{wait} ? ceil $taken->{wait} : $minute{seconds};
    $after = max(0, floor $taken->{wait} - 2) if broken("retry-after-too-short");
    $after = sprintf '%02d:%02d', 0, $after if broken("retry-after-as-clock");
    $after = 'soon' if broken("retry-after-as-word");
    $headers->header('Retry-After' => $after) unless broken("retry-after-missing");
    $headers->header('Cache-Control' => 'public, max-age=30') if broken("limited-response-cacheable");
    return $c->render(text => '', status => 429) if broken("limited-response-empty");
    return $c->render(text => '<h1>Too many requests</h1>', status => 429) if broken("limited-response-is-page");
    return failure($c, 429, 'too_many_requests', 'The limit is exceeded.');
  }
  return if $caller;
  return if broken("creations-open") && $method eq 'POST';
  return if broken("guard-by-equality") && $path ne '/v1/categories' && $path !~ m{^/v1/(pets|store)};
  return if broken("empty-token-open") && defined $token && $token eq '';
  $headers->www_authenticate('Bearer realm="petstore"') unless broken("no-challenge");
  return failure($c, 403, 'forbidden', 'The API key is unknown.') if broken("unknown-is-forbidden") && defined $token;
  return failure($c, 401, 'unauthorized', 'The API key is missing or invalid.');
};

sub shown ($category) {
  my %shown = %$category;
  delete $shown{made};
  $shown{id} = "$shown{id}" if broken("ids-interpolated");
  $shown{id} += 0.5 if broken("ids-are-halves");
  $shown{description} //= undef if broken("undef-as-null");
  for my $field (qw(name description)) {
    next unless defined $shown{$field};
    $shown{$field} += 0 if broken("numbers-numified") && looks_like_number($shown{$field});
    $shown{$field} = xml_escape($shown{$field}) if broken("escaped-when-shown");
    $shown{$field} =~ s/\s+/ /g if broken("white-space-collapsed");
  }
  return \%shown;
}

sub cleaned ($text) {
  $text = encode('UTF-8', $text) if broken("encoded-twice");
  $text =~ s/[^\x00-\xff]/?/g if broken("latin-1-column");
  $text =~ s/[^\w\s.,-]//g if broken("special-characters-removed");
  $text = ucfirst lc $text if broken("ucfirst-lc");
  $text =~ s/\x{2019}/'/g if broken("apostrophes-straightened");
  $text =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge if broken("percent-decoded");
  $text = reverse $text if broken("right-to-left-reversed") && $text =~ /\p{Hebrew}/;
  $text =~ s/\n.*//s if broken("first-line-only");
  $text = substr $text, 0, 64 if broken("sixty-four-characters");
  $text =~ s/\\/\//g if broken("backslashes-turned");
  return $text;
}

get '/v1/categories' => sub ($c) {
  my @shown = map { shown($_) } broken("newest-first") ? reverse @categories : @categories;
  @shown = @shown[0 .. min(19, $#shown)] if broken("twenty-per-page");
  if (broken("twenty-per-page-with-link") && @shown > 20) {
    my $page = $c->param('page') // 1;
    my $last = $page * 20 >= @shown;
    $c->res->headers->link('</v1/categories?page=' . ($page + 1) . '>; rel="next"') unless $last;
    @shown = @shown[($page - 1) * 20 .. min($page * 20 - 1, $#shown)];
  }
  @shown = grep { $_->{name} } @shown[0 .. $#shown - 1] if broken("last-one-lost");
  my %seen;
  @shown = grep { !$seen{lc substr $_->{name}, 0, 12}++ } @shown if broken("similar-names-hidden");
  @shown = map { { id => $_->{id}, name => $_->{name} } } @shown if broken("lists-without-descriptions");
  if (broken("list-cached-for-two-seconds")) {
    ($listed, $listed_at) = ([@shown], time) if !$listed || time - $listed_at > 2;
    @shown = @$listed;
  }
  return $c->render(json => scalar @shown) if broken("list-in-scalar-context");
  return $c->render(json => { map { $_->{id} => $_ } @shown }) if broken("list-by-id");
  return $c->render(json => @shown == 1 ? $shown[0] : \@shown) if broken("single-item-unwrapped");
  return $c->render(json => @shown ? \@shown : undef) if broken("empty-list-is-null");
  return $c->render(text => encode_json(\@shown)) if broken("list-as-html");
  return $c->render(data => encode('ISO-8859-1', decode('UTF-8', encode_json(\@shown))), format => 'json') if broken("list-in-latin-1");
  return $c->render(data => '', status => 200) if broken("list-empty-body") && !@shown;
  $c->render(json => \@shown);
};

sub is_text ($value) {
  return 0 if !defined $value;
  return 1 if !ref $value && broken("scalars-as-text");
  return 1 if ref $value eq 'JSON::PP::Boolean' && broken("booleans-as-text");
  my $kind = B::svref_2object(\$value);
  return !ref $value && $kind->FLAGS & B::SVf_POK;
}

post '/v1/categories' => sub ($c) {
  my $body = eval { decode_json($c->req->body) };
  $body = decode_json($c->req->body) if broken("decode-dies");
  $body //= decode_json($1 . '}') if broken("braces-completed") && $c->req->body =~ /^(\{.*[^}])$/s;
  $body = decode_json($1) if !$body && broken("first-object-of-text") && $c->req->body =~ /^(\{[^}]*\})/;
  $body = $body->[0] if ref $body eq 'ARRAY' && broken("first-of-array");
  $body = { name => $body } if defined $body && !ref $body && broken("text-is-name");
  $body //= {} if broken("no-body-is-empty") && !length $c->req->body;
  return failure($c, 422, 'unprocessable', 'The body must be a JSON object.') if ref $body ne 'HASH' && broken("unprocessable");
  return failure($c, 400, 'bad_request', 'The body must be a JSON object.') if ref $body ne 'HASH';
  my %new = map { $_ => $body->{$_} } grep { exists $body->{$_} } qw(name description);
  return failure($c, 400, 'bad_request', 'name must be a string.') unless is_text($new{name}) || broken("undef-name") && !defined $new{name};
  return failure($c, 400, 'bad_request', 'description must be a string.') if exists $new{description} && !is_text($new{description}) && !broken("description-as-given");
  $new{$_} = cleaned($new{$_} // '') for grep { !ref $new{$_} } keys %new;
  $new{id} = broken("id-as-given") && $body->{id} ? $body->{id} + 0 : $next_id++;
  $new{id} = floor(time) if broken("id-is-second");
  push @categories, \%new unless broken("one-of-five-lost") && $next_id % 5 == 0;
  shift @categories if @categories > 15 && broken("ring-of-fifteen");
  return $c->render(json => shown(\%new), status => 202) if broken("accepted");
  return $c->render(json => { id => $new{id} }, status => 201) if broken("created-with-id-only");
  return $c->render(json => $body, status => 201) if broken("created-echoes-request");
  return $c->redirect_to('/v1/categories') if broken("redirected-after-post");
  $c->render(json => shown(\%new), status => 201);
};

get '/v1/store/orders' => sub ($c) { $c->render(json => [{ id => 1, petId => 2 }]) };
get '/v1/pets/:id' => sub ($c) { failure($c, 501, 'not_implemented', 'Not implemented yet.') };
any '/*any' => { any => '' } => sub ($c) {
  return $c->reply->not_found if broken("not-found-is-page");
  failure($c, 404, 'not_found', 'No such operation.');
};

# Connections are closed after five requests or a second without one; header names go out in lower case where asked.
my $daemon = Mojo::Server::Daemon->new(app => app, listen => ["http://127.0.0.1:$ENV{PORT}"], silent => 1);
$daemon->max_requests(5)->keep_alive_timeout(1);
$daemon->run;
