// A client of the Pet Store Service for Java 17 or newer, without dependencies. It waits Retry-After (seconds or
// HTTP-date), adds exponential backoff with jitter to it, gives up after six attempts, and retries 429 alone. All tasks
// of a key wait at one gate. Replace list and create by calls of your own client, and keep the rest.
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

public class Client {
    static final int ATTEMPTS = 6;
    static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    static final long START = System.nanoTime();
    static final AtomicLong closedUntil = new AtomicLong(); // The gate of the key: until then no task sends (ms).

    static long now() {
        return (System.nanoTime() - START) / 1_000_000;
    }

    static long retryAfterMs(String value) {
        if (value.matches("[0-9]{1,9}")) return Long.parseLong(value) * 1000;
        try {
            var at = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Math.max(0, Duration.between(Instant.now(), at).toMillis() + 1);
        } catch (DateTimeException unreadable) {
            return 0;
        }
    }

    static boolean send(String method, String body) {
        var request = HttpRequest.newBuilder(URI.create(System.getenv("PETSTORE_TARGET") + "/categories"))
            .header("Authorization", "Bearer " + System.getenv("PETSTORE_API_KEY"));
        if (body == null) request.GET();
        else request.header("Content-Type", "application/json").method(method, HttpRequest.BodyPublishers.ofString(body));
        try {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                for (long ms; (ms = closedUntil.get() - now()) > 0; ) Thread.sleep(ms);
                var response = HTTP.send(request.build(), BodyHandlers.ofString());
                if (response.statusCode() != 429) return response.statusCode() < 300;
                long backoff = Math.round((1000L << attempt) * ThreadLocalRandom.current().nextDouble(0.5, 1));
                long opens = now() + 1 + retryAfterMs(response.headers().firstValue("Retry-After").orElse("")) + backoff;
                closedUntil.accumulateAndGet(opens, Math::max); // After the last attempt, too: the next call has to wait.
            }
        } catch (java.io.IOException | InterruptedException failed) {
            System.err.println(failed);
        }
        return false;
    }

    static boolean list() {
        return send("GET", null);
    }

    static boolean create() {
        return send("POST", "{\"name\": \"rabbit\"}");
    }

    static int count(String name, String otherwise) {
        return Integer.parseInt(System.getenv().getOrDefault(name, otherwise));
    }

    public static void main(String[] arguments) throws InterruptedException {
        var work = new ConcurrentLinkedQueue<BooleanSupplier>();
        for (int i = 0; i < count("PETSTORE_CALLS", "1"); i++) work.add(Client::list);
        for (int i = 0; i < count("PETSTORE_CREATES", "0"); i++) work.add(Client::create);
        var failed = new AtomicBoolean();
        var tasks = new Thread[count("PETSTORE_CONCURRENCY", "1")];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new Thread(() -> {
                for (BooleanSupplier call; (call = work.poll()) != null; ) if (!call.getAsBoolean()) failed.set(true);
            });
            tasks[i].start();
        }
        for (Thread task : tasks) task.join();
        System.exit(failed.get() ? 1 : 0);
    }
}
