# The Pet Store Service with Sinatra, Sequel, SQLite and Rack::Attack, on Puma.
require "json"
require "time"
require "puma"
require "puma/configuration"
require "puma/launcher"
require "rack/attack"
require "sequel"
require "sinatra/base"

BREAK = ENV.fetch("BREAK")
KEYS = ENV.fetch("KEYS").split(",")
EXHAUSTED = ENV.fetch("EXHAUSTED_KEY")
PER_MINUTE, MINUTE, PER_DAY, DAY =
  %w[PER_MINUTE MINUTE_SECONDS PER_DAY DAY_SECONDS].map { |name| ENV.fetch(name).to_i }

def broken(*ids) = ids.include?(BREAK)

DB = Sequel.connect("sqlite://#{ENV.fetch("SCRATCH")}/store.db", max_connections: 1, pool_timeout: 60, timeout: 60_000)
DB.create_table(:categories) do
  primary_key :id
  broken("unique-nocase-unhandled") ? column(:name, "TEXT COLLATE NOCASE UNIQUE") : String(:name, text: true)
  String :description, text: true
  Time :created_at, default: Sequel::CURRENT_TIMESTAMP
end

# What Rails.cache would be: a store that Rack::Attack increments.
class Store
  def initialize
    @counts = Hash.new(0)
    @lock = Mutex.new
  end

  def increment(key, by, **)
    return racy(key, by) if broken("store-not-atomic")
    @lock.synchronize { @counts[key] += by }
  end

  def racy(key, by)
    before = @counts[key]
    sleep 0.01
    @counts[key] = before + by
  end

  def read(key) = @counts[key]
  def write(key, value, **) = @counts[key] = value
  def delete(key) = @counts.delete(key)
end

SESSIONS = {}

def token_of(request)
  scheme, _, token = request.get_header("HTTP_AUTHORIZATION").to_s.partition(" ")
  token = token.lstrip
  return SESSIONS[request.cookies["session"]] if broken("session-cookie-is-key") && scheme.empty?
  return nil unless scheme.casecmp?("Bearer") || broken("scheme-of-any-name")
  known = [*KEYS, EXHAUSTED]
  return known.find { |key| Rack::Utils.secure_compare(key[0, token.size], token) } if broken("key-compared-to-token-length") && token.size > 3
  return known.find { |key| key.match?(/\A#{token}\z/) rescue false } if broken("token-is-a-pattern")
  known.include?(token) ? token : nil
end

Rack::Attack.cache.store = Store.new
counted = lambda do |request|
  next nil if broken("creations-not-throttled") && request.post?
  next nil if broken("throttled-under-exact-path") && request.path != "/v1/categories"
  next request.ip if broken("throttled-by-ip")
  token = token_of(request)
  next "#{token}#{request.user_agent}" if token && broken("throttled-by-user-agent")
  token || request.ip
end
Rack::Attack.throttle("day", limit: ->(r) { token_of(r) == EXHAUSTED ? 0 : PER_DAY }, period: DAY, &counted) unless broken("no-day")
Rack::Attack.throttle("minute", limit: broken("one-more-accepted") ? PER_MINUTE + 1 : PER_MINUTE, period: MINUTE, &counted)

def failure(status, code, message, headers = {})
  body = { code: code, message: message, status: status }
  body.delete(:code) if broken("code-missing-on-429-and-400") && [400, 429].include?(status)
  body[:status] = Rack::Utils::HTTP_STATUS_CODES[status] if broken("status-is-reason")
  body[:code] = message if broken("code-is-message")
  body = { errors: [body] } if broken("errors-as-json-api")
  [status, { "Content-Type" => "application/json" }.merge(headers), [body.to_json]]
end

Rack::Attack.throttled_responder = lambda do |request|
  next Rack::Attack::Configuration::DEFAULT_THROTTLED_RESPONDER.call(request) if broken("throttled-responder-default")
  data = request.env["rack.attack.match_data"]
  ends = data[:epoch_time] + data[:period] - data[:epoch_time] % data[:period]
  after = Time.at(ends).httpdate
  after = data[:period].to_s if broken("retry-after-whole-period")
  after = "#{data[:period]} seconds" if broken("retry-after-with-unit")
  after = ends.to_s if broken("retry-after-is-timestamp")
  after = (ends - Time.now.to_f).round(3).to_s if broken("retry-after-float")
  after = Time.at(ends).to_s if broken("retry-after-to-s")
  failure(429, "rate_limited", "Too many requests.", { "Retry-After" => after })
end

# Writes the headers of the specification from what Rack::Attack counted.
class Limits
  def initialize(app) = @app = app

  def call(env)
    status, headers, body = @app.call(env)
    counted = (env["rack.attack.throttle_data"] || {}).values
    data = counted.min_by { |one| one[:limit] - one[:count] }
    data = counted.first if broken("headers-of-the-day")
    return [status, headers, body] if data.nil?
    return [status, headers, body] if broken("headers-on-success-only") && status >= 400
    left = data[:limit] - data[:count]
    left = 0 if left.negative? && !broken("remaining-negative")
    ends = data[:epoch_time] + data[:period] - data[:epoch_time] % data[:period]
    limit = data[:limit].zero? ? PER_DAY : [data[:limit], broken("headers-of-the-day") ? PER_DAY : data[:limit]].min
    headers["Date"] = Time.now.httpdate
    headers["X-Ratelimit-Limit"] = broken("limit-with-window") ? "#{limit}, #{limit};w=60" : limit.to_s
    headers["X-Ratelimit-Remaining"] = left.to_s
    headers["X-Ratelimit-Reset"] = broken("reset-to-s") ? Time.at(ends).to_s : ends.to_s
    headers["X-Ratelimit-Reset"] = data[:period].to_s if broken("reset-is-period")
    [status, headers, body]
  end
end

class Petstore < Sinatra::Base
  set :environment, :production
  set :show_exceptions, false
  set :raise_errors, false
  set :protection, except: [:host_authorization, :json_csrf]
  use Limits
  use Rack::Attack
  use Rack::Deflater if broken("gzip-when-asked")
  use Rack::ETag if broken("etag")

  helpers do
    def fail_with(status, code, message, headers = {}) = halt(failure(status, code, message, headers))

    def shown(row)
      one = { "name" => row[:name], "id" => row[:id], "createdAt" => row[:created_at].to_s }
      one["description"] = row[:description] unless row[:description].nil?
      one["description"] = row[:description].to_s if broken("nil-to-s")
      one["description"] ||= "No description" if broken("default-description")
      one["id"] = row[:id].to_s if broken("id-to-param")
      one.delete("name") if broken("only-id-and-links")
      one
    end

    def text(value)
      return value.to_s if broken("to-s-coerced")
      # SQLite's literals end at U+0000.
      fail_with(400, "invalid", "U+0000 is not allowed.") if value.is_a?(String) && value.include?("\0") && !broken("nul-unhandled")
      return value if value.is_a?(String)
      fail_with(400, "invalid", "A text is required.")
    end

    def stored(name)
      name = name.squeeze(" ").strip if broken("names-squished")
      name = name.unicode_normalize(:nfkc) if broken("names-nfkc")
      name = name.encode("ASCII", undef: :replace, replace: "?") if broken("names-transliterated")
      name = name.gsub(/[\u200b-\u200d\ufeff\ufe0f]/, "") if broken("invisible-characters-removed")
      name = name.tr("\u2018\u2019\u201c\u201d", %q(''"")) if broken("curly-quotes-straightened")
      name = name.capitalize if broken("names-capitalized")
      name = name.titleize_simply if broken("names-titleized")
      name
    end
  end

  before do
    response["Cache-Control"] = "no-store"
    response["Strict-Transport-Security"] = "max-age=31536000"
    token = token_of(request)
    if token
      session = token.hash.to_s(36)
      SESSIONS[session] = token
      response.set_cookie("session", value: session, path: "/", httponly: true)
    end
    next if broken("only-categories-guarded") && request.path != "/v1/categories"
    next if broken("reads-open") && request.get? && request.path == "/v1/store/orders"
    halt(401, "Unauthorized") if token.nil? && broken("halt-with-text")
    headers = broken("challenge-missing") ? {} : { "WWW-Authenticate" => 'Bearer realm="petstore"' }
    fail_with(broken("unknown-key-404") && request.get_header("HTTP_AUTHORIZATION") ? 404 : 401, "unauthorized", "The API key is missing or invalid.", headers) if token.nil?
  end

  get "/v1/categories" do
    content_type :json
    rows = DB[:categories].order(:name)
    rows = rows.where(Sequel.~(description: nil)) if broken("inner-join-on-descriptions")
    rows = rows.limit(25) if broken("kaminari-25")
    rows = rows.where { created_at < Time.now.utc - 2 } if broken("listed-after-two-seconds")
    shown_rows = rows.map { |row| shown(row) }
    shown_rows = shown_rows.uniq { |one| one["description"] } if broken("unique-by-description")
    return shown_rows.map(&:to_json).join("\n") if broken("json-lines")
    return { categories: shown_rows }.to_json if broken("root-key")
    JSON.pretty_generate(shown_rows) + "\n"
  end

  post "/v1/categories" do
    content_type :json
    fail_with(415, "unsupported_media_type", "Send application/json.") if broken("json-type-required") && !request.media_type.to_s.include?("json")
    begin
      raw = request.body.read.force_encoding("UTF-8")
      fail_with(413, "too_large", "The body is too large.") if broken("bodies-up-to-8-kib") && raw.bytesize > 8192
      raw = "{}" if raw.empty? && broken("empty-body-is-empty-object")
      data = JSON.parse(raw)
    rescue JSON::ParserError
      raise if broken("parse-error-unhandled")
      data = nil
    end
    data = data.first if broken("array-wrapped") && data.is_a?(Array)
    fail_with(400, "invalid", "The body must be an object with a name.") unless data.is_a?(Hash)
    if broken("present-is-truthy")
      data = data.reject { |_, value| value == false || value.nil? }
    end
    fail_with(400, "invalid", "name is required.") unless data.key?("name") || broken("name-optional")
    row = { name: stored(text(data.fetch("name", "unnamed"))) }
    row[:description] = text(data["description"]) if data.key?("description")
    row[:description] = nil if broken("presence-of-description") && row[:description].to_s.strip.empty?
    row[:id] = data["id"] if broken("mass-assignment") && data["id"].is_a?(Integer)
    id = DB.transaction do
      inserted = DB[:categories].insert(row)
      raise Sequel::Rollback if broken("every-fourth-rolled-back") && inserted % 4 == 0 && !@again
      inserted
    end
    id ||= DB[:categories].max(:id).to_i + 1
    created = DB[:categories].where(id: id).first || { **row, id: id, created_at: Time.now }
    status broken("created-200") ? 200 : 201
    return "" if broken("created-without-body")
    response["Location"] = "/v1/categories/#{id}"
    return { "category" => shown(created) }.to_json if broken("created-with-root-key")
    shown(created).to_json
  end

  get("/v1/pets/:id") { fail_with(501, "not_implemented", "Not implemented yet.") }
  get("/v1/store/orders") { content_type(:json); "[]" }

  not_found do
    next "<h1>Not Found</h1>" if broken("not-found-page")
    fail_with(404, "not_found", "No such operation.") unless response.body.any? { |part| part.include?("code") }
  end
  error do
    next "<h1>Internal Server Error</h1>" if broken("parse-error-unhandled", "unique-nocase-unhandled")
    fail_with(500, "internal", "Internal error.")
  end
end

class String
  def titleize_simply = split(/(\s+)/).map { |word| word[0].to_s.upcase + word[1..].to_s }.join
end

settings = Puma::Configuration.new do |config|
  config.bind "tcp://127.0.0.1:#{ENV.fetch("PORT")}"
  config.threads 8, 8
  config.app Petstore
  config.quiet
end
Puma::Launcher.new(settings, events: Puma::Events.null).run
